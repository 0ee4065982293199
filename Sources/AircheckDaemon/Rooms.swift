internal import Catalogue
internal import Configuration
internal import ControlAPI
internal import DemoStation
internal import Feed
internal import HTTPServer
internal import Household
internal import Ingest
internal import JSONText
internal import Platform
internal import Playback
internal import Recording
internal import Relay
internal import Store
internal import StreamFormats
internal import Transfers
internal import WebUI

/// Everything the service is made of, handed to whoever answers for a part of it.
struct Rooms: Sendable {
    let configuration: Settings
    let folders: Folders
    let time: any TimeSource
    let database: Database
    let catalogue: StationCatalogue
    let engine: TransferEngine
    let hub: IngestHub
    /// Stations that somebody is about to hear.
    let warm: WarmStations
    let recorder: Recorder
    let library: RecordingLibrary
    let past: PastKeeper
    let offsets: StationOffsets
    let jobs: JobBook
    let hooks: HookRunner
    let waveforms: Waveforms
    /// What else there is of a recording, and goes with it.
    let traces: RecordingTraces
    let player: LivePlayer
    let playerMemory: PlayerMemory
    let recordings: any RecordingSource
    let deck: RecordingDeck
    let schedules: ScheduleRunner
    let loggers: Loggers
    let tokens: TokenBook
    /// Paired browsers.
    let sessions: TokenBook
    let pairing: PairingDesk
    let shelf: Shelf
    /// Whether those who reach the mounts may listen without a token.
    let guests: Decision<Bool>
    /// The sink that the service's own player sounds on; empty for the default one.
    let output: Decision<String>
    /// Hours that somebody listened.
    let hours: HeardHours
    let artwork: StationArtwork
    /// For the tags of recordings.
    let pictures: TagPictures
    /// The page.
    let web: WebFiles
    let facts: StationFactBook
    let airplay: AirplayLog
    let variants: StationVariants
    let thumbs: Thumbs
    let directory: DirectoryRoom
    let watchList: WatchList
    let dials: DialBook
    /// Every title that begins to air, on stations that are read and on those that are looked at.
    let airingNews: Announcer<AiringNews>
    let callers: CallerCheck
    let events: EventHub
    /// Every change of the player, told on its own thread.
    let playerNews: Announcer<PlayerStatus>
    let catalogueNews: Announcer<CatalogueDifference>
    let started: WallTime
    let startedAt: MonotonicTime
    /// Where listeners and the API are reached: `http://127.0.0.1:2472`. Filled in once the ports are bound.
    let addresses: Lock<ServiceAddresses>
    /// The relay, once it is there; it needs the loops of the server.
    let relay: Lock<RelayService?>
    /// The HTTP server, once it is there.
    let server = Lock<HTTPServer?>(nil)
    /// What follows changes of the catalogue; the pushes too.
    let follower: CatalogueFollower
}

/// Where the service is reached.
struct ServiceAddresses: Sendable {
    var control = ""
    var listen = ""
}

extension Rooms {
    var upNext: UpNext { UpNext(shelf: shelf, events: events) }
    var descriptions: Descriptions { Descriptions(shelf: shelf) }

    /// The station that a request names: by id, name, a unique part, or the address of a feed that is running.
    func resolve(_ text: String) throws -> CatalogueStation {
        do {
            return try catalogue.resolve(text)
        } catch let error as CatalogueError {
            if case .ambiguous = error { throw APIFailure(.conflict, error.description) }
            throw APIFailure(
                .notFound, error.description, remedy: "`aircheck stations search` looks for one.")
        }
    }
}
