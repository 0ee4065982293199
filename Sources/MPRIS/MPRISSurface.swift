/// The two interfaces of a media player on the bus: their properties, and what their methods mean. Pure.
///
/// After the MPRIS 2.2 specification. What cannot be said of live is never said: no length, no position, no pause by
/// default; `Pause` and `PlayPause` work all the same, because media keys send them. A recording has all of that.
struct MPRISSurface: Sendable, Equatable {
    static let path = "/org/mpris/MediaPlayer2"
    static let name = "org.mpris.MediaPlayer2.aircheck"
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"

    private(set) var view: MPRISView
    /// Counts titles: each is a track with an id of its own.
    private var track = 0
    /// The place as it was last told, and when.
    private var told: (recording: MPRISView.Recording, track: Int, at: Double)?

    static func == (one: Self, other: Self) -> Bool { (one.view, one.track) == (other.view, other.track) }

    init(_ view: MPRISView = MPRISView()) { self.view = view }

    /// Takes what the player is now.
    /// - Returns: the properties of `player` that are not what they were.
    mutating func take(_ new: MPRISView) -> [BusFact] {
        let before = self
        if (new.station, new.artist, new.title) != (view.station, view.artist, view.title)
            || (new.recording == nil) != (view.recording == nil)
        {
            track += 1
        }
        view = new
        return playerFacts.filter { fact in
            fact.name != "Position" && !before.playerFacts.contains(fact)
        }
    }

    /// The properties of an interface; nil for one that is not here.
    func facts(of interface: String) -> [BusFact]? {
        switch interface {
        case Self.root: rootFacts
        case Self.player: playerFacts
        default: nil
        }
    }

    private var rootFacts: [BusFact] {
        [
            BusFact("CanQuit", .truth(false)), BusFact("CanRaise", .truth(false)),
            BusFact("HasTrackList", .truth(false)), BusFact("Identity", .text("aircheck")),
            BusFact("DesktopEntry", .text("aircheck")),
            BusFact("SupportedUriSchemes", .texts(["http", "https"])),
            BusFact(
                "SupportedMimeTypes",
                .texts([
                    "audio/mpeg", "audio/aac", "audio/aacp", "application/ogg", "audio/ogg", "audio/flac",
                    "audio/x-scpls", "audio/x-mpegurl", "application/vnd.apple.mpegurl",
                ])),
        ]
    }

    private var playerFacts: [BusFact] {
        [
            BusFact("PlaybackStatus", .text(status)),
            BusFact("LoopStatus", .text("None")), BusFact("Shuffle", .truth(false)),
            BusFact("Rate", .real(view.recording?.rate ?? 1)),
            BusFact("MinimumRate", .real(view.recording?.rates.lowerBound ?? 1)),
            BusFact("MaximumRate", .real(view.recording?.rates.upperBound ?? 1)),
            BusFact("Metadata", .facts(metadata)), BusFact("Volume", .real(Double(view.volume) / 100)),
            BusFact("Position", .whole(view.recording?.position ?? 0)),
            BusFact("CanGoNext", .truth(view.canSkip)),
            BusFact("CanGoPrevious", .truth(view.canSkip)), BusFact("CanPlay", .truth(view.station != nil)),
            BusFact("CanPause", .truth(view.recording != nil || view.pauses && view.isPlaying)),
            BusFact("CanSeek", .truth(view.recording != nil)),
            BusFact("CanControl", .truth(true)),
        ]
    }

    /// Microseconds by which a place may be off before it counts as a jump.
    private static let tolerance: Int64 = 500_000

    private var status: String {
        guard view.isPlaying else { return "Stopped" }
        return view.recording?.isPaused == true ? "Paused" : "Playing"
    }

    private var trackPath: String { "/org/aircheck/track/\(track)" }

    /// The place of the recording, if it is not where it would be by itself.
    /// - Parameter now: seconds of a clock that never steps.
    mutating func jump(at now: Double) -> Int64? {
        defer { told = view.recording.map { ($0, track, now) } }
        guard let told, let recording = view.recording, told.track == track else { return nil }
        let moved = told.recording.isPaused ? 0 : (now - told.at) * told.recording.rate
        let expected = told.recording.position &+ Int64(min(max(moved, 0), 1e9) * 1e6)
        return abs(recording.position &- expected) > Self.tolerance ? recording.position : nil
    }

    /// Where `Seek` by so many microseconds leads; behind the end it is the next track.
    func seek(by offset: Int64) -> MPRISOrder? {
        guard let recording = view.recording else { return nil }
        let (place, overflow) = recording.position.addingReportingOverflow(offset)
        guard !overflow, place <= recording.length else { return .next }
        return .position(max(place, 0))
    }

    /// What setting `Rate` asks for: 0 is a pause, as the specification has it; live has one rate alone.
    func rate(_ rate: Double) -> MPRISOrder? {
        guard let rates = view.recording?.rates else { return nil }
        return rate == 0 ? .pause : .rate(min(max(rate, rates.lowerBound), rates.upperBound))
    }

    /// Where `SetPosition` leads; nowhere where it is about another track or a place that is not in it.
    func position(_ place: Int64, of path: String) -> MPRISOrder? {
        guard let recording = view.recording, path == trackPath, (0...recording.length).contains(place) else {
            return nil
        }
        return .position(place)
    }

    /// What is on. Desktops say "Unknown artist" where a key is missing, so the station stands in.
    private var metadata: [BusFact] {
        guard let station = view.station else {
            return [BusFact("mpris:trackid", .path(Self.path + "/TrackList/NoTrack"))]
        }
        var facts = [
            BusFact("mpris:trackid", .path(trackPath)),
            BusFact("xesam:title", .text(view.title ?? station)),
            BusFact("xesam:artist", .texts([view.artist ?? station])),
            BusFact("xesam:album", .text(station)),
        ]
        if let recording = view.recording { facts.append(BusFact("mpris:length", .whole(recording.length))) }
        if let genre = view.genre { facts.append(BusFact("xesam:genre", .texts([genre]))) }
        if let url = view.url { facts.append(BusFact("xesam:url", .text(url))) }
        if let logo = view.logo { facts.append(BusFact("mpris:artUrl", .text(logo))) }
        return facts
    }

    /// Methods of `root`: both are answered, and do nothing to a service.
    static let rootMethods: Set<String> = ["Raise", "Quit"]

    enum Access { case settable, pretended, readOnly }

    /// Whether a property may be set. `LoopStatus` and `Shuffle` may, to what they are anyway: desktops have buttons for them.
    static func access(to property: String) -> Access {
        switch property {
        case "Volume", "Rate": .settable
        case "LoopStatus", "Shuffle": .pretended
        default: .readOnly
        }
    }

    /// What a method of `player` without arguments asks for. `.some(nil)`: it is known, and means nothing on live.
    func order(_ method: String) -> MPRISOrder?? {
        switch method {
        case "Play": .some(.play)
        case "Stop": .some(.stop)
        case "Pause": .some(view.recording == nil ? .stop : .pause)
        case "PlayPause": .some(status != "Playing" ? .play : view.recording == nil ? .stop : .pause)
        case "Next": .some(view.canSkip ? .next : nil)
        case "Previous": .some(view.canSkip ? .previous : nil)
        case "Seek", "SetPosition": .some(nil)
        default: nil
        }
    }

    /// What describes the object to a curious tool.
    static let introspection = """
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
        <interface name="org.mpris.MediaPlayer2"><method name="Raise"/><method name="Quit"/>
        \(properties(MPRISSurface().rootFacts))</interface>
        <interface name="org.mpris.MediaPlayer2.Player">
        <method name="Next"/><method name="Previous"/><method name="Pause"/><method name="PlayPause"/><method name="Stop"/>
        <method name="Play"/><method name="Seek"><arg direction="in" type="x" name="Offset"/></method>
        <method name="SetPosition"><arg direction="in" type="o" name="TrackId"/><arg direction="in" type="x" name="Position"/></method>
        <method name="OpenUri"><arg direction="in" type="s" name="Uri"/></method>
        <signal name="Seeked"><arg type="x" name="Position"/></signal>
        \(properties(MPRISSurface().playerFacts))</interface>
        <interface name="org.freedesktop.DBus.Properties">
        <method name="Get"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="out" type="v"/></method>
        <method name="GetAll"><arg direction="in" type="s"/><arg direction="out" type="a{sv}"/></method>
        <method name="Set"><arg direction="in" type="s"/><arg direction="in" type="s"/><arg direction="in" type="v"/></method>
        <signal name="PropertiesChanged"><arg type="s"/><arg type="a{sv}"/><arg type="as"/></signal></interface>
        </node>
        """

    private static func properties(_ facts: [BusFact]) -> String {
        facts.map { fact in
            let access = ["Volume", "Rate"].contains(fact.name) ? "readwrite" : "read"
            return "<property name=\"\(fact.name)\" type=\"\(fact.value.signature)\" access=\"\(access)\"/>"
        }.joined(separator: "\n")
    }
}
