extension MPDCommand {
    /// Outputs, options and facts about the server.
    static let system: [MPDCommand] = [
        MPDCommand("outputs", .read, 0...0) { scene, _, reply in
            reply.pair("outputid", 0)
            reply.pair("outputname", scene.backend.outputName)
            reply.pair("plugin", "pulse")
            reply.pair("outputenabled", !scene.desk.player.isMuted)
        },
        MPDCommand("enableoutput", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            try checkOutput(request)
            scene.desk.perform(.mute(false))
        },
        MPDCommand("disableoutput", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            try checkOutput(request)
            scene.desk.perform(.mute(true))
        },
        MPDCommand("toggleoutput", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            try checkOutput(request)
            scene.desk.perform(.mute(!scene.desk.player.isMuted))
        },
        MPDCommand("stats", .read, 0...0) { scene, _, reply in
            reply.pair("uptime", scene.backend.uptime)
            reply.pair("playtime", Int(min(max(scene.desk.player.elapsed, 0), 1e9)))
            reply.pair("artists", 0)
            reply.pair("albums", 0)
            reply.pair("songs", scene.backend.stations.count)
            reply.pair("db_playtime", 0)
            reply.pair("db_update", 0)
        },
        MPDCommand("decoders", .read, 0...0) { _, _, reply in
            for (plugin, suffixes, types) in decoders {
                reply.pair("plugin", plugin)
                for suffix in suffixes { reply.pair("suffix", suffix) }
                for type in types { reply.pair("mime_type", type) }
            }
        },
        MPDCommand("urlhandlers", .read, 0...0) { _, _, reply in
            reply.pair("handler", "http://")
            reply.pair("handler", "https://")
        },
        MPDCommand("listmounts", .read, 0...0) { _, _, reply in
            reply.pair("mount", "")
            reply.pair("storage", "aircheck")
        },
        MPDCommand("listpartitions", .read, 0...0) { _, _, reply in reply.pair("partition", "default") },
        MPDCommand("replay_gain_status", .read, 0...0) { scene, _, reply in
            reply.pair("replay_gain_mode", scene.desk.options.replayGain)
        },
        MPDCommand("replay_gain_mode", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            guard ["off", "track", "album", "auto"].contains(request.arguments[0]) else {
                throw MPDFailure(.argument, "Unrecognized replay gain mode")
            }
            set(scene) { $0.replayGain = request.arguments[0] }
        },
        MPDCommand("repeat", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value = try request.truth(0)
            set(scene) { $0.isRepeating = value }
        },
        MPDCommand("random", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value = try request.truth(0)
            set(scene) { $0.isRandom = value }
        },
        MPDCommand("single", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value = try mode(request)
            set(scene) { $0.single = value }
        },
        MPDCommand("consume", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value = try mode(request)
            set(scene) { $0.consume = value }
        },
        MPDCommand("crossfade", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value = try request.integer(0)
            guard value >= 0 else { throw MPDFailure(.argument, "Number too small: \(value)") }
            set(scene) { $0.crossfade = value }
        },
        MPDCommand("mixrampdb", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value = try number(request)
            set(scene) { $0.mixRampDecibels = value }
        },
        MPDCommand("mixrampdelay", .player, 1...1) { scene, request, _ throws(MPDFailure) in
            let value: Double? = request.arguments[0] == "nan" ? nil : try number(request)
            set(scene) { $0.mixRampDelay = value }
        },
    ]

    private static let decoders: [(String, [String], [String])] = [
        ("mpg123", ["mp3", "mp2"], ["audio/mpeg"]), ("aac", ["aac"], ["audio/aac", "audio/aacp"]),
        ("ogg", ["ogg", "opus", "oga"], ["application/ogg", "audio/ogg"]),
        ("flac", ["flac"], ["audio/flac"]), ("hls", ["m3u8"], ["application/vnd.apple.mpegurl"]),
    ]

    private static func checkOutput(_ request: MPDRequest) throws(MPDFailure) {
        guard try request.integer(0) == 0 else { throw MPDFailure(.noExist, "No such audio output") }
    }

    private static func mode(_ request: MPDRequest) throws(MPDFailure) -> String {
        guard ["0", "1", "oneshot"].contains(request.arguments[0]) else {
            throw MPDFailure(.argument, "Unrecognized mode, expected 0, 1, or oneshot")
        }
        return request.arguments[0]
    }

    private static func number(_ request: MPDRequest) throws(MPDFailure) -> Double {
        guard let value = Double(request.arguments[0]), value.isFinite else {
            throw MPDFailure(.argument, "Float expected: \(request.arguments[0])")
        }
        return value
    }

    private static func set(_ scene: MPDScene, _ change: (inout MPDOptions) -> Void) {
        change(&scene.desk.options)
        scene.desk.changed(.options)
    }
}
