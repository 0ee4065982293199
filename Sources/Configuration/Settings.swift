/// Every setting of the service as a typed value, with its default. `SettingTable` names, documents and reads them.
///
/// What the web page and the command line change is kept in SQLite, never here.
package struct Settings: Sendable, Hashable {
    package var server = Server()
    package var paths = Paths()
    package var ingest = Ingest()
    package var window = Window()
    package var recording = Recording()
    package var tracks = Tracks()
    package var hooks = Hooks()
    package var logger = Logger()
    package var relay = Relay()
    package var home = Home()
    package var player = Player()
    package var mpd = MPD()
    package var mpris = MPRIS()
    package var catalogue = Catalogue()
    package var log = Log()
    package var demo = Demo()

    package init() {}

    package struct Server: Sendable, Hashable {
        package var bind = "127.0.0.1"
        package var port = 2472
        /// Path of the control socket; empty for the runtime folder's.
        package var socket = ""
        package var listenBind = "127.0.0.1"
        package var listenPort = 2472
        package var listenOpen = false
        package var names: [String] = []
        package var trustedProxies: [String] = []
        package var loopbackReads = true
        package var maxConnections = 4096
        package var maxConnectionsPerAddress = 64
    }

    package struct Paths: Sendable, Hashable {
        /// Empty for the XDG folder; `Folders` fills it in.
        package var data = ""
        package var recordings = ""
        package var cache = ""
        package var stations: [String] = []
        package var mediaHelper = ""
        package var web = ""
    }

    package struct Ingest: Sendable, Hashable {
        package var linger: Duration = .seconds(30)
        package var connectTimeout: Duration = .seconds(10)
        package var secondConnection: Duration = .seconds(5)
        package var stall: Duration = .seconds(10)
        package var retryMax: Duration = .seconds(30)
        package var maxStations = 200
        package var userAgentSuffix = ""
        package var proxy = ""
        package var allowPrivateAddresses = false
    }

    package struct Window: Sendable, Hashable {
        package var memory: Duration = .seconds(60)
        package var memoryBytes = 2 << 20
        package var disk: Duration = .seconds(15 * 60)
        package var diskBytes = 2 << 30
    }

    package struct Recording: Sendable, Hashable {
        package var template = "{station}/{start:%Y}/{start:%Y-%m-%d %H%M} {show|station}.{ext}"
        package var trackTemplate = "{station}/{start:%Y-%m-%d}/{artist? - }{title}.{ext}"
        package var write: Duration = .milliseconds(250)
        package var sync: Duration = .seconds(3)
        package var freeForNew = 2 << 30
        package var freeForAll = 512 << 20
        package var tagReserve = 128 << 10
        package var paddingBefore: Duration = .zero
        package var paddingAfter: Duration = .zero
        package var measure = true
        package var pictures = true
    }

    /// How programmes are taken apart into tracks, unless a command says otherwise.
    package struct Tracks: Sendable, Hashable {
        package var piece: Duration = .seconds(10)
        package var least: Duration = .zero
        /// Zero: no limit.
        package var most: Duration = .zero
        package var padding: Duration = .zero
        package var incomplete = true
        package var repeats = Repeats.version
        package var only: [String] = []
        package var ignore: [String] = []

        /// What happens with a track whose name is taken.
        package enum Repeats: String, Sendable, Hashable, CaseIterable {
            case version, longest, skip
        }
    }

    /// Programs that are run when something has happened: the words of a command, empty for none.
    package struct Hooks: Sendable, Hashable {
        package var started: [String] = []
        package var finished: [String] = []
        package var failed: [String] = []
        package var track: [String] = []
        package var measured: [String] = []
        package var timeout: Duration = .seconds(600)
    }

    package struct Logger: Sendable, Hashable {
        package var stations: [String] = []
        package var slot: Duration = .seconds(3600)
        package var template = "{station}/{date}/{station} {date} {time}.{ext}"
        package var keepAge: Duration = .zero
        package var keepFiles = 0
        package var keepBytes = 0
        package var keepFree = 2 << 30
    }

    package struct Relay: Sendable, Hashable {
        package var burst: Duration = .seconds(3)
        package var burstBytesMin = 32 << 10
        package var burstBytesMax = 256 << 10
        package var batch: Duration = .milliseconds(250)
        package var metaint = 16_000
        package var maxListeners = 2000
        package var maxListenersPerStation = 2000
        package var maxListenersPerAddress = 64
        package var slowAfter: Duration = .seconds(30)
        package var slowBytes = 512 << 10
        package var rangeRule = RangeRule.auto
        package var corsOrigin = "*"
        package var mp3Bitrate = 128
        package var maxEncoders = 4
        package var delayed: [String] = []
        package var maxDelayed = 32
        package var shoutcastPort = 0
        /// `STATION http://user:password@host:port/mount`
        package var push: [String] = []

        /// What a live mount answers to `Range: bytes=0-1` without `Icy-MetaData`.
        package enum RangeRule: String, Sendable, Hashable, CaseIterable {
            case auto, always200 = "always-200", always206 = "always-206"
        }
    }

    package struct Home: Sendable, Hashable {
        package enum ItemClass: String, Sendable, Hashable, CaseIterable { case broadcast, track }

        package var mediaServer = false
        package var name = ""
        package var itemClass = ItemClass.broadcast
        package var recordings = false
        package var receiverPort = 0
    }

    package struct Player: Sendable, Hashable {
        package var output = Output.pulse
        package var device = ""
        package var latency: Duration = .milliseconds(60)
        package var volume = 80
        package var warmPresets = 2
        package var dataSaver = false
        package var levelling = true
        package var resume = true

        package enum Output: String, Sendable, Hashable, CaseIterable {
            case pulse, null
        }
    }

    package struct MPD: Sendable, Hashable {
        package var bind = "127.0.0.1"
        package var port = 6600
        package var loopbackControl = true
    }

    package struct MPRIS: Sendable, Hashable {
        package var enabled = true
        package var pauseStops = false
    }

    package struct Catalogue: Sendable, Hashable {
        package var directory = true
        package var directoryMirrors: [String] = []
        package var directoryRefresh: Duration = .seconds(7 * 24 * 3600)
        package var countClicks = true
        package var probeEvery: Duration = .seconds(24 * 3600)
        package var onNowEvery: Duration = .seconds(300)
        package var deadAir: Duration = .seconds(30)
        package var airplayKeep: Duration = .seconds(730 * 86_400)
    }

    package struct Log: Sendable, Hashable {
        package var level = Level.info

        package enum Level: String, Sendable, Hashable, CaseIterable {
            case debug, info, warning, error
        }
    }

    package struct Demo: Sendable, Hashable {
        package var enabled = false
        package var port = 2473
    }
}
