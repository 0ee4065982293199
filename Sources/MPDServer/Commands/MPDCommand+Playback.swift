extension MPDCommand {
    /// Joining, leaving and skipping. A live station is never paused or sought: pause leaves it, and going on joins it at
    /// the live edge.
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
            let isPlaying = scene.desk.player.isPlaying
            let stops = request.arguments.isEmpty ? isPlaying : try request.truth(0)
            if stops { scene.desk.perform(.stop) } else if !isPlaying { try play(nil, scene) }
        },
        MPDCommand("stop", .player, 0...0) { scene, _, _ in scene.desk.perform(.stop) },
        MPDCommand("next", .player, 0...0) { scene, _, _ throws(MPDFailure) in try skip(.next, scene) },
        MPDCommand("previous", .player, 0...0) { scene, _, _ throws(MPDFailure) in try skip(.previous, scene)
        },
        MPDCommand("seek", .player, 2...2) { scene, request, _ throws(MPDFailure) in
            guard scene.desk.queue.items.indices.contains(try request.integer(0)) else { throw .badIndex }
            throw .notSeekable
        },
        MPDCommand("seekid", .player, 2...2) { scene, request, _ throws(MPDFailure) in
            _ = try scene.desk.queue.place(ofNumber: try request.integer(0))
            throw .notSeekable
        },
        MPDCommand("seekcur", .player, 1...1) { scene, _, _ throws(MPDFailure) in
            throw scene.desk.player.isPlaying ? .notSeekable : .notPlaying
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
        scene.desk.perform(order)
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
        reply.pair("state", now.isPlaying ? "play" : "stop")
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
        let milliseconds = Int(min(max(now.elapsed, 0), 1e9) * 1000)
        reply.pair("time", "\(milliseconds / 1000):0")
        let rest = String(milliseconds % 1000)
        reply.pair(
            "elapsed", "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)")
        if let bitrate = now.bitrate { reply.pair("bitrate", bitrate) }
        if let rate = now.sampleRate, let channels = now.channels {
            reply.pair("audio", "\(rate):f:\(channels)")
        }
    }
}
