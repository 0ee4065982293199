/// The one table of settings. The file `config/aircheck.toml`, its documentation, the reader and `config show` come
/// from it.
package enum SettingTable {
    /// What a section is about, in the order of the file.
    package static let sections: [(name: String, documentation: String)] = [
        (
            "server",
            "Where the service answers. `control` is the API, `listen` the mounts and playlists; the page's files are at both."
        ),
        ("paths", "Folders. Empty means the usual one of the XDG rules, or systemd's where it gives one."),
        ("ingest", "How stations are pulled."),
        ("window", "How much of the past is kept, so that a recording can start before you asked for it."),
        ("recording", "Files that recordings become."),
        (
            "logger",
            "Stations that are recorded without an end, in files that begin at round times. What it deletes are its own "
                + "files, never one that is marked keep."
        ),
        ("tracks", "How programmes are taken apart into tracks, unless a command says otherwise."),
        (
            "hooks",
            "Programs that are run when something has happened, as lists of words; docs/recordings.md says what they find."
        ),
        ("relay", "What listeners get."),
        (
            "home",
            "How radios, receivers and television boxes in the house find stations. They cannot send tokens, so they are served where server.listen_open lets everybody listen."
        ),
        ("player", "The service's own player."),
        (
            "mpd",
            "Remote controls that speak the protocol of the Music Player Daemon: mpc, ncmpcpp and many others."
        ),
        ("mpris", "Media keys and the player controls of a desktop, over its session bus."),
        ("catalogue", "Station files are described in docs/stations.md; this is about the rest."),
        ("log", "What is written to the journal."),
        ("demo", "The station that aircheck itself plays, to try things without a network."),
    ]

    /// Every setting, in the order of the file.
    package static let settings: [Setting] =
        server + paths + ingest + window + recording + logger + tracks + hooks + relay + home + player
        + remotes
        + catalogue + log + demo

    /// The settings of a section.
    package static func settings(of section: String) -> [Setting] {
        settings.filter { $0.section == section }
    }

    private static let ports = 1...65_535
    private static let second: Duration = .seconds(1)
    private static let minute: Duration = .seconds(60)
    private static let hour: Duration = .seconds(3600)
    private static let day: Duration = .seconds(86_400)

    private static let server: [Setting] = [
        Setting(
            "server", "bind", \.server.bind, .address,
            "Address of the control role. Beyond this machine it needs a token for everything."),
        Setting("server", "port", \.server.port, .whole(ports), "Port of the control role."),
        Setting(
            "server", "socket", \.server.socket, .path,
            "Path of the control socket, which needs no token; commands look for a service there alone. Empty: "
                + "control.sock in the runtime folder, and commands look for the machine's service too."),
        Setting(
            "server", "listen_bind", \.server.listenBind, .address,
            "Address of the listen role. \"0.0.0.0\" or \"::\" opens it to the network, with listen_open or tokens."
        ),
        Setting(
            "server", "listen_port", \.server.listenPort, .whole(ports),
            "Port of the listen role. The same as control while both are on one address."),
        Setting(
            "server", "listen_open", \.server.listenOpen, .truth,
            "Lets anybody who reaches listen_bind listen without a token: radios cannot send one."),
        Setting(
            "server", "names", \.server.names, .list(of: .address),
            "Host names that requests may carry, beside addresses, localhost, the machine's own name and NAME.local. Anything else is refused."
        ),
        Setting(
            "server", "trusted_proxies", \.server.trustedProxies, .list(of: .address),
            "Addresses of proxies that are believed when they name a client by X-Forwarded-For: limits, wrong tokens and lists of "
                + "listeners count that client then. It is never taken for somebody on this machine."),
        Setting(
            "server", "loopback_reads", \.server.loopbackReads, .truth,
            "Reading, on this machine, needs no token. Changing anything always does."),
        Setting(
            "server", "max_connections", \.server.maxConnections, .whole(16...100_000),
            "Connections at a time that the server itself answers. Listeners have a limit of their own: relay.max_listeners."
        ),
        Setting(
            "server", "max_connections_per_address", \.server.maxConnectionsPerAddress, .whole(1...100_000),
            "Connections from one address that may be in the middle of a request at a time. This machine is not counted."
        ),
    ]

    private static let paths: [Setting] = [
        Setting(
            "paths", "data", \.paths.data, .path,
            "The catalogue's database and its backups. One service a folder."),
        Setting(
            "paths", "recordings", \.paths.recordings, .path,
            "Where recordings go. Empty: aircheck in your Music folder."),
        Setting("paths", "cache", \.paths.cache, .path, "Logos and the directory snapshot."),
        Setting(
            "paths", "stations", \.paths.stations, .list(of: .path),
            "Folders of station files beside the usual ones; they are read last, so they win."),
        Setting(
            "paths", "media_helper", \.paths.mediaHelper, .path,
            "The program aircheck-media, and no other (but for AIRCHECK_MEDIA in the environment). Empty: beside aircheck, or in a libexec folder."
        ),
        Setting(
            "paths", "web", \.paths.web, .path, reloads: false,
            "Folder of the page's files. Empty: ../share/aircheck/web from aircheck on, /usr/share/aircheck/web, or the sources of a build."
        ),
    ]

    private static let ingest: [Setting] = [
        Setting(
            "ingest", "linger", \.ingest.linger, .duration(.zero...hour),
            "How long a station stays connected after its last reader."),
        Setting(
            "ingest", "connect_timeout", \.ingest.connectTimeout, .duration(second...(minute * 2)),
            "How long a connection may take to be made."),
        Setting(
            "ingest", "second_connection", \.ingest.secondConnection, .duration(second...minute),
            "Silence after which a second connection is opened while the first is still read."),
        Setting(
            "ingest", "stall", \.ingest.stall, .duration((second * 2)...(minute * 5)),
            "Silence after which a connection is given up where the server allows no second one."),
        Setting(
            "ingest", "retry_max", \.ingest.retryMax, .duration(second...hour),
            "Longest pause between two tries. Only real audio makes it short again."),
        Setting(
            "ingest", "max_stations", \.ingest.maxStations, .whole(1...10_000),
            "Stations that are connected at a time."),
        Setting(
            "ingest", "user_agent_suffix", \.ingest.userAgentSuffix, .text,
            "Added to the User-Agent aircheck/VERSION: an address where you can be reached, for instance."),
        Setting(
            "ingest", "proxy", \.ingest.proxy, .text,
            "Proxy for outgoing requests, as \"http://host:port\" or \"socks5h://host:port\". The environment's is "
                + "not used."),
        Setting(
            "ingest", "allow_private_addresses", \.ingest.allowPrivateAddresses, .truth,
            "Lets every address of every station, and all that redirects, lists and pictures name, lead to this machine and "
                + "its network. Off, because whoever can make you open a station could reach the router and the services "
                + "behind it; a station of your own says local = true instead."
        ),
    ]

    private static let window: [Setting] = [
        Setting(
            "window", "memory", \.window.memory, .duration((second * 10)...(minute * 10)),
            "Past that is kept in memory for every connected station."),
        Setting(
            "window", "memory_bytes", \.window.memoryBytes, .size((256 << 10)...(64 << 20)),
            "Most memory that one station's past takes."),
        Setting(
            "window", "disk", \.window.disk, .duration(.zero...day),
            "Past that is kept on disk for a station that somebody plays, records or listens to. A station's own window arms it."
        ),
        Setting(
            "window", "disk_bytes", \.window.diskBytes, .size((64 << 20)...(4 << 40)),
            "Most disk that all of these take together."),
    ]

    private static let recording: [Setting] = [
        Setting(
            "recording", "template", \.recording.template, .text,
            "Name of a recording inside its folder; docs/recordings.md lists the fields."),
        Setting(
            "recording", "track_template", \.recording.trackTemplate, .text, "Name of a track's file."),
        Setting(
            "recording", "write", \.recording.write, .duration(.milliseconds(50)...second),
            "Two writes of audio to a file are at least half of this apart. A killed service loses half a second at most, "
                + "and more where this is longer."),
        Setting(
            "recording", "sync", \.recording.sync, .duration(.milliseconds(250)...minute),
            "How often the file is made safe against a power cut."),
        Setting(
            "recording", "free_for_new", \.recording.freeForNew, .size(0...(1 << 50)),
            "With less free space than this no new recording starts."),
        Setting(
            "recording", "free_for_all", \.recording.freeForAll, .size(0...(1 << 50)),
            "With less free space than this every recording pauses until there is more."),
        Setting(
            "recording", "tag_reserve", \.recording.tagReserve, .size((4 << 10)...(16 << 20)),
            "Room kept at the front of an MP3 file for tags and chapters."),
        Setting(
            "recording", "padding_before", \.recording.paddingBefore, .duration(.zero...hour),
            "New schedules begin their recording so much earlier, where they do not say otherwise themselves."
        ),
        Setting(
            "recording", "padding_after", \.recording.paddingAfter, .duration(.zero...(hour * 3)),
            "New schedules end their recording so much later, where they do not say otherwise themselves."),
        Setting(
            "recording", "measure", \.recording.measure, .truth, reloads: false,
            "Measures loudness, silences and waveform of every recording once it has ended."),
        Setting(
            "recording", "pictures", \.recording.pictures, .truth, reloads: false,
            "Puts the station's picture, and those of titles, into the tags of recordings."),
    ]

    private static let tracks: [Setting] = [
        Setting(
            "tracks", "piece", \.tracks.piece, .duration(second...(minute * 5)), reloads: false,
            "A piece shorter than this belongs to its neighbour."),
        Setting(
            "tracks", "least", \.tracks.least, .duration(.zero...hour), reloads: false,
            "Shorter tracks are not kept."),
        Setting(
            "tracks", "most", \.tracks.most, .duration(.zero...day), reloads: false,
            "Longer tracks are not kept; \"0s\" keeps all."),
        Setting(
            "tracks", "padding", \.tracks.padding, .duration(.zero...minute), reloads: false,
            "Audio around a track that goes into its file too, and into its neighbour's."),
        Setting(
            "tracks", "incomplete", \.tracks.incomplete, .truth, reloads: false,
            "Keeps the track that was on when the recording began, and when it ended."),
        Setting(
            "tracks", "repeats", \.tracks.repeats, .choice, reloads: false,
            "What happens with a track whose name is taken: another version, the longest stays, or the first."
        ),
        Setting(
            "tracks", "only", \.tracks.only, .list(of: .text), reloads: false,
            "If there are some, only tracks with one of these in their title are kept."),
        Setting(
            "tracks", "ignore", \.tracks.ignore, .list(of: .text), reloads: false,
            "Tracks with one of these in their title are not kept."),
    ]

    private static let hooks: [Setting] = [
        Setting(
            "hooks", "started", \.hooks.started, .list(of: .text), reloads: false,
            "The first audio of a recording has come."),
        Setting(
            "hooks", "finished", \.hooks.finished, .list(of: .text), reloads: false,
            "A recording has ended, and its file has its name."),
        Setting(
            "hooks", "failed", \.hooks.failed, .list(of: .text), reloads: false,
            "A recording has ended without a file."),
        Setting(
            "hooks", "track", \.hooks.track, .list(of: .text), reloads: false, "A track's file is complete."),
        Setting(
            "hooks", "measured", \.hooks.measured, .list(of: .text), reloads: false,
            "Loudness, silences and waveform of a recording are known."),
        Setting(
            "hooks", "timeout", \.hooks.timeout, .duration(second...day), reloads: false,
            "A program that takes longer is ended."),
    ]

    private static let logger: [Setting] = [
        Setting(
            "logger", "stations", \.logger.stations, .list(of: .text),
            "Ids or names of the stations that are logged while the service runs."),
        Setting(
            "logger", "slot", \.logger.slot, .duration((second * 5)...day),
            "Length of a file. A day must be a whole number of them."),
        Setting("logger", "template", \.logger.template, .text, "Name of a file."),
        Setting(
            "logger", "keep_age", \.logger.keepAge, .duration(.zero...(day * 36_500)),
            "Older files are deleted. 0s: none for their age."),
        Setting(
            "logger", "keep_files", \.logger.keepFiles, .whole(0...1_000_000),
            "At most so many files of a station are held. 0: any number."),
        Setting(
            "logger", "keep_bytes", \.logger.keepBytes, .size(0...(1 << 50)),
            "At most so many bytes of a station are held. 0: any number."),
        Setting(
            "logger", "keep_free", \.logger.keepFree, .size(0...(1 << 50)),
            "With less free space than this the oldest files of the logger are deleted. 0: none for that."),
    ]

    private static let relay: [Setting] = [
        Setting(
            "relay", "burst", \.relay.burst, .duration(.zero...minute), reloads: true,
            "Past audio that a listener is sent at once, so that sound starts at once."),
        Setting(
            "relay", "burst_bytes_min", \.relay.burstBytesMin, .size(0...(4 << 20)), reloads: true,
            "Smallest burst."),
        Setting(
            "relay", "burst_bytes_max", \.relay.burstBytesMax, .size((32 << 10)...(16 << 20)), reloads: true,
            "Largest burst."),
        Setting(
            "relay", "batch", \.relay.batch, .duration(.milliseconds(50)...second), reloads: true,
            "Audio is sent in pieces of this length. Longer is cheaper, shorter is sooner."),
        Setting(
            "relay", "metaint", \.relay.metaint, .whole(256...1_048_576),
            "Bytes of audio between two titles, for listeners who ask for titles."),
        Setting(
            "relay", "max_listeners", \.relay.maxListeners, .whole(0...1_000_000), reloads: true,
            "Listeners at a time."),
        Setting(
            "relay", "max_listeners_per_station", \.relay.maxListenersPerStation, .whole(0...1_000_000),
            reloads: true,
            "Listeners of one station at a time."),
        Setting(
            "relay", "max_listeners_per_address", \.relay.maxListenersPerAddress, .whole(1...1_000_000),
            reloads: true,
            "Listeners at a time from one address."),
        Setting(
            "relay", "slow_after", \.relay.slowAfter, .duration((second * 2)...(minute * 10)), reloads: true,
            "A listener who is so far behind goes on at the live edge; after three times it is let go."),
        Setting(
            "relay", "slow_bytes", \.relay.slowBytes, .size((64 << 10)...(64 << 20)),
            "The same in bytes; whichever comes first."),
        Setting(
            "relay", "range_rule", \.relay.rangeRule, .choice, reloads: true,
            "What a live mount answers to \"Range: bytes=0-1\", with which Apple's players begin."),
        Setting(
            "relay", "cors_origin", \.relay.corsOrigin, .text, reloads: true,
            "Access-Control-Allow-Origin of mounts: \"*\", one origin, or empty for none. Never sent by the API."
        ),
        Setting(
            "relay", "mp3_bitrate", \.relay.mp3Bitrate, .whole(32...320),
            "Bit rate of /STATION.mp3 where the station sends something else, in kbit/s."),
        Setting(
            "relay", "max_encoders", \.relay.maxEncoders, .whole(0...64),
            "Stations that are made into MP3 at a time, whoever listens; each takes about one percent of a core."
        ),
        Setting(
            "relay", "delayed", \.relay.delayed, .list(of: .delayedMount),
            "Mounts that are a station some time late: \"jazz-evening jazz 5h\" is /jazz-evening. The station's window must hold as much."
        ),
        Setting(
            "relay", "max_delayed", \.relay.maxDelayed, .whole(0...1000),
            "Different delays that are heard at a time, whoever listens. 0: nobody may ask for the past."),
        Setting(
            "relay", "shoutcast_port", \.relay.shoutcastPort, .whole(0...65_535),
            "Port for sources that speak Shoutcast v1, by custom the mounts' port and one; 0 for none. They feed /stream."
        ),
        Setting(
            "relay", "push", \.relay.push, .list(of: .push), reloads: true,
            "Stations that are sent to other servers, as a source client of theirs: the station's id, a blank, and "
                + "where to, with user, password and mount."),
    ]

    private static let home: [Setting] = [
        Setting(
            "home", "media_server", \.home.mediaServer, .truth,
            "Shows the stations as a DLNA media server on the networks of server.listen_bind."),
        Setting(
            "home", "name", \.home.name, .text,
            "Name of the media server in lists. Empty: aircheck on the machine's name."),
        Setting(
            "home", "item_class", \.home.itemClass, .choice,
            "What stations are to the media server's players: broadcasts, or tracks for those that show tracks alone."
        ),
        Setting(
            "home", "recordings", \.home.recordings, .truth,
            "Lets whoever may listen hear the recordings too: in the media server, and from Kodi's guide."),
        Setting(
            "home", "receiver_port", \.home.receiverPort, .whole(0...65_535),
            "Port of the menu for old receivers that ask vtuner.com; they ask port 80. 0 for none."),
    ]

    private static let player: [Setting] = [
        Setting("player", "output", \.player.output, .choice, "Where sound goes. \"null\" plays in silence."),
        Setting("player", "device", \.player.device, .text, "Name of the sink. Empty: the default one."),
        Setting(
            "player", "latency", \.player.latency, .duration(.milliseconds(20)...second),
            "Sound that is buffered in the sound server."),
        Setting(
            "player", "volume", \.player.volume, .whole(0...100), "Volume at the first start, in percent."),
        Setting(
            "player", "warm_presets", \.player.warmPresets, .whole(0...8),
            "Neighbours in the list that stay connected, so that a skip is instant."),
        Setting(
            "player", "data_saver", \.player.dataSaver, .truth,
            "Connects nothing that nobody hears: no neighbour, whatever warm_presets says, and no station a pointer rests on."
        ),
        Setting(
            "player", "levelling", \.player.levelling, .truth,
            "Plays stations equally loud. Recordings and listeners get the original."),
        Setting(
            "player", "resume", \.player.resume, .truth, "Plays after a start what was playing at the stop."),
    ]

    private static let remotes = mpd + mpris

    private static let mpd: [Setting] = [
        Setting(
            "mpd", "bind", \.mpd.bind, .address,
            "Address for MPD's clients. Beyond this machine they need a token as their password."),
        Setting(
            "mpd", "port", \.mpd.port, .whole(0...65_535),
            "Port for MPD's clients; 0 for none. Where another program has it, the service runs without."),
        Setting(
            "mpd", "loopback_control", \.mpd.loopbackControl, .truth,
            "Clients on this machine may play, stop and skip without a password, as they expect to."),
    ]

    private static let mpris: [Setting] = [
        Setting(
            "mpris", "enabled", \.mpris.enabled, .truth,
            "Shows the player on the session bus, where there is one."),
        Setting(
            "mpris", "pause_stops", \.mpris.pauseStops, .truth,
            "Says that it can pause while it plays, for desktops that grey their button out otherwise. Pausing stops."
        ),
    ]

    private static let catalogue: [Setting] = [
        Setting("catalogue", "directory", \.catalogue.directory, .truth, "Uses the Radio Browser directory."),
        Setting(
            "catalogue", "directory_mirrors", \.catalogue.directoryMirrors, .list(of: .text),
            "Base addresses of directory servers. Empty: found by name lookup."),
        Setting(
            "catalogue", "directory_refresh", \.catalogue.directoryRefresh, .duration(hour...(day * 90)),
            "Age at which a directory answer or snapshot is fetched anew."),
        Setting(
            "catalogue", "count_clicks", \.catalogue.countClicks, .truth,
            "Tells the directory when one of its stations is listened to, as it asks clients to do."),
        Setting(
            "catalogue", "probe_every", \.catalogue.probeEvery, .duration(.zero...(day * 90)),
            "How often each of your favourites is tried in the background. \"0s\": never."),
        Setting(
            "catalogue", "on_now_every", \.catalogue.onNowEvery, .duration(.zero...day),
            "How often a favourite that nobody reads is asked what it plays, while somebody wants to know or a watch-list waits. \"0s\": never."
        ),
        Setting(
            "catalogue", "dead_air", \.catalogue.deadAir, .duration(.zero...hour),
            "Silence, or nothing at all, for so long on a station that is read is an alarm. \"0s\": never."),
        Setting(
            "catalogue", "airplay_keep", \.catalogue.airplayKeep, .duration(day...(day * 9000)),
            "How long the log of what was played is kept; what is older goes once a day."),
    ]

    private static let log: [Setting] = [
        Setting(
            "log", "level", \.log.level, .choice, reloads: true,
            "The least important line that is still written.")
    ]

    private static let demo: [Setting] = [
        Setting("demo", "enabled", \.demo.enabled, .truth, "Starts the demo station."),
        Setting("demo", "port", \.demo.port, .whole(ports), "Its port on 127.0.0.1."),
    ]
}
