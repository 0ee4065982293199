extension MPDCommand {
    /// Joining, leaving and skipping. A live station is never paused or sought: pause leaves it, and going on joins it at
    /// the live edge. A recording is paused and sought as any track is.
    static let playback: [MPDCommand] = [
        MPDCommand("status", .read, 0...0) { scene, _, reply in status(scene, &reply) },
        MPDCommand("currentsong", .read, 0...0) { scene, _, reply in
            guard let place = scene.desk.current else { return }
            scene.write(scene.desk.queue.items[place], at: place, to: &reply)
        },
        MPDCommand("play", .player, 0...1) { scene, request, _ throws(MPDFailure) in
            let place: Int? = request.arguments.isEmpty ? nil : try request.integer(0)
            try play(place == -1 ? nil : place, scene)
        },
        MPDCommand("playid", .player, 0...1) { scene, request, _ throws(MPDFailure) in
            let number: Int? = request.arguments.isEmpty ? nil : try request.integer(0)
            try play(
                number == nil || number == -1 ? nil : try scene.desk.queue.place(ofNumber: number ?? 0), scene
            )
        },
        MPDCommand("pause", .player, 0...1) { scene, request, _ throws(MPDFailure) in
            let now = scene.desk.player
            let sounds = now.isPlaying && !now.isPaused
            let stops = request.arguments.isEmpty ? sounds : try request.truth(0)
            if stops {
                if sounds { scene.desk.perform(now.recording == nil ? .stop : .pause) }
            } else if !sounds {
                try play(nil, scene)
            }
        },
        MPDCommand("stop", .player, 0...0) { scene, _, _ in scene.desk.perform(.stop) },
        MPDCommand("next", .player, 0...0) { scene, _, _ throws(MPDFailure) in try skip(.next, scene) },
        MPDCommand("previous", .player, 0...0) { scene, _, _ throws(MPDFailure) in try skip(.previous, scene)
        },
        MPDCommand("seek", .player, 2...2) { scene, request, _ throws(MPDFailure) in
            let place = try request.integer(0)
            guard scene.desk.queue.items.indices.contains(place) else { throw .badIndex }
            try seek(place, request, scene)
        },
        MPDCommand("seekid", .player, 2...2) { scene, request, _ throws(MPDFailure) in
            try seek(try scene.desk.queue.place(ofNumber: try request.integer(0)), request, scene)
        },
        MPDCommand("seekcur", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let now = scene.desk.player
            guard now.isPlaying else { throw .notPlaying }
            guard now.recording != nil else { throw .notSeekable }
            let text = request.arguments[0]
            let seconds = try request.seconds(0)
            let isChange = text.hasPrefix("+") || text.hasPrefix("-")
            scene.desk.perform(.seek(max(isChange ? now.elapsed + seconds : seconds, 0)))
        },
        MPDCommand("setvol", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let volume = try request.number(0, upTo: 100)
            guard volume >= 0 else { throw MPDFailure(.argument, "Number too small: \(volume)") }
            scene.desk.perform(.volume(volume))
        },
        MPDCommand("volume", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let change = try request.integer(0)
            guard (-100...100).contains(change) else {
                throw MPDFailure(.argument, "Number too large: \(request.arguments[0])")
            }
            scene.desk.perform(.volume(min(max(scene.desk.player.volume + change, 0), 100)))
        },
        MPDCommand("getvol", .read, 0...0) { scene, _, reply in
            reply.pair("volume", scene.desk.player.volume)
        },
        MPDCommand("clearerror", .player, 0...0) { scene, _, _ in
            scene.desk.options.isErrorCleared = true
            scene.desk.changed(.player)
        },
    ]

    private static func play(_ place: Int?, _ scene: MPDScene) throws(MPDFailure) {
        let now = scene.desk.player
        if place == nil, now.isPaused || now.recording != nil && !now.isPlaying {
            return scene.desk.perform(.resume)
        }
        // Play without a place is "be live": it leaves what plays alone.
        if place == nil, now.isPlaying { return }
        guard !scene.desk.queue.items.isEmpty else {
            if place == nil { return }
            throw .badIndex
        }
        try scene.desk.play(place ?? scene.desk.current ?? 0)
    }

    private static func skip(_ order: MPDOrder, _ scene: MPDScene) throws(MPDFailure) {
        guard scene.desk.player.isPlaying else { throw .notPlaying }
        let items = scene.desk.queue.items
        // The player walks stations by itself; where a recording is in the way the queue is walked here.
        guard let here = scene.desk.current, items.count > 1 else { return scene.desk.perform(order) }
        let there = (here + (order == .next ? 1 : items.count - 1)) % items.count
        guard items[here].entry.recording != nil || items[there].entry.recording != nil else {
            return scene.desk.perform(order)
        }
        try scene.desk.play(there)
    }

    /// To a second of a place in the queue, which plays from then on.
    private static func seek(_ place: Int, _ request: MPDRequest, _ scene: MPDScene) throws(MPDFailure) {
        let seconds = try request.seconds(1)
        guard scene.desk.queue.items[place].entry.recording != nil else { throw .notSeekable }
        if place != scene.desk.current || !scene.desk.player.isPlaying { try scene.desk.play(place) }
        scene.desk.perform(.seek(max(seconds, 0)))
    }

    private static func status(_ scene: MPDScene, _ reply: inout MPDReply) {
        let now = scene.desk.player
        let (options, queue) = (scene.desk.options, scene.desk.queue)
        reply.pair("volume", now.volume)
        reply.pair("repeat", options.isRepeating)
        reply.pair("random", options.isRandom)
        reply.pair("single", options.single)
        reply.pair("consume", options.consume)
        reply.pair("partition", "default")
        reply.pair("playlist", queue.version)
        reply.pair("playlistlength", queue.items.count)
        reply.pair("mixrampdb", "\(options.mixRampDecibels)")
        reply.pair("state", now.isPaused ? "pause" : now.isPlaying ? "play" : "stop")
        reply.pair("mixrampdelay", ifAny: options.mixRampDelay.map { "\($0)" })
        if options.crossfade > 0 { reply.pair("xfade", options.crossfade) }
        places(scene, &reply)
        if now.isPlaying { sound(now, &reply) }
        if !options.isErrorCleared { reply.pair("error", ifAny: now.error) }
    }

    private static func places(_ scene: MPDScene, _ reply: inout MPDReply) {
        let items = scene.desk.queue.items
        guard let place = scene.desk.current else { return }
        reply.pair("song", place)
        reply.pair("songid", items[place].number)
        guard items.count > 1 else { return }
        let next = (place + 1) % items.count
        reply.pair("nextsong", next)
        reply.pair("nextsongid", items[next].number)
    }

    private static func sound(_ now: MPDPlayerView, _ reply: inout MPDReply) {
        let duration = now.recording?.recording?.duration
        let whole = { (seconds: Double) in Int(min(max(seconds.isFinite ? seconds : 0, 0), 1e9)) }
        reply.pair("time", "\(whole(now.elapsed)):\(duration.map(whole) ?? 0)")
        reply.pair("elapsed", MPDReply.seconds(now.elapsed))
        if let duration { reply.pair("duration", MPDReply.seconds(duration)) }
        if let bitrate = now.bitrate { reply.pair("bitrate", bitrate) }
        if let rate = now.sampleRate, let channels = now.channels {
            reply.pair("audio", "\(rate):f:\(channels)")
        }
    }
}
