/// The two interfaces of a media player on the bus: their properties, and what their methods mean. Pure.
///
/// After the MPRIS 2.2 specification. What cannot be said of live is never said: no length, no position, no pause by
/// default; `Pause` and `PlayPause` work all the same, because media keys send them.
struct MPRISSurface: Sendable, Hashable {
    static let path = "/org/mpris/MediaPlayer2"
    static let name = "org.mpris.MediaPlayer2.aircheck"
    static let root = "org.mpris.MediaPlayer2"
    static let player = "org.mpris.MediaPlayer2.Player"

    private(set) var view: MPRISView
    /// Counts titles: each is a track with an id of its own.
    private var track = 0

    init(_ view: MPRISView = MPRISView()) { self.view = view }

    /// Takes what the player is now.
    /// - Returns: the properties of `player` that are not what they were.
    mutating func take(_ new: MPRISView) -> [BusFact] {
        let before = self
        if (new.station, new.artist, new.title) != (view.station, view.artist, view.title) { track += 1 }
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
            BusFact("PlaybackStatus", .text(view.isPlaying ? "Playing" : "Stopped")),
            BusFact("LoopStatus", .text("None")), BusFact("Shuffle", .truth(false)),
            BusFact("Rate", .real(1)), BusFact("MinimumRate", .real(1)), BusFact("MaximumRate", .real(1)),
            BusFact("Metadata", .facts(metadata)), BusFact("Volume", .real(Double(view.volume) / 100)),
            BusFact("Position", .whole(0)), BusFact("CanGoNext", .truth(view.canSkip)),
            BusFact("CanGoPrevious", .truth(view.canSkip)), BusFact("CanPlay", .truth(view.station != nil)),
            BusFact("CanPause", .truth(view.pauses && view.isPlaying)), BusFact("CanSeek", .truth(false)),
            BusFact("CanControl", .truth(true)),
        ]
    }

    /// What is on. Desktops say "Unknown artist" where a key is missing, so the station stands in.
    private var metadata: [BusFact] {
        guard let station = view.station else {
            return [BusFact("mpris:trackid", .path(Self.path + "/TrackList/NoTrack"))]
        }
        var facts = [
            BusFact("mpris:trackid", .path("/org/aircheck/track/\(track)")),
            BusFact("xesam:title", .text(view.title ?? station)),
            BusFact("xesam:artist", .texts([view.artist ?? station])),
            BusFact("xesam:album", .text(station)),
        ]
        if let genre = view.genre { facts.append(BusFact("xesam:genre", .texts([genre]))) }
        if let url = view.url { facts.append(BusFact("xesam:url", .text(url))) }
        if let logo = view.logo { facts.append(BusFact("mpris:artUrl", .text(logo))) }
        return facts
    }

    /// What a method of `player` without arguments asks for. `.some(nil)`: it is known, and means nothing on live.
    func order(_ method: String) -> MPRISOrder?? {
        switch method {
        case "Play": .some(.play)
        case "Pause", "Stop": .some(.stop)
        case "PlayPause": .some(view.isPlaying ? .stop : .play)
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
            let access = fact.name == "Volume" ? "readwrite" : "read"
            return "<property name=\"\(fact.name)\" type=\"\(fact.value.signature)\" access=\"\(access)\"/>"
        }.joined(separator: "\n")
    }
}
