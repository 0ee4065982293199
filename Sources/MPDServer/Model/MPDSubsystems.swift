/// What has changed, in the words that `idle` waits for.
struct MPDSubsystems: OptionSet, Sendable, Hashable {
    let rawValue: UInt16

    static let database = MPDSubsystems(rawValue: 1)
    static let update = MPDSubsystems(rawValue: 2)
    static let storedPlaylist = MPDSubsystems(rawValue: 4)
    static let playlist = MPDSubsystems(rawValue: 8)
    static let player = MPDSubsystems(rawValue: 16)
    static let mixer = MPDSubsystems(rawValue: 32)
    static let output = MPDSubsystems(rawValue: 64)
    static let options = MPDSubsystems(rawValue: 128)
    static let partition = MPDSubsystems(rawValue: 256)
    static let sticker = MPDSubsystems(rawValue: 512)
    static let subscription = MPDSubsystems(rawValue: 1024)
    static let message = MPDSubsystems(rawValue: 2048)
    static let neighbor = MPDSubsystems(rawValue: 4096)
    static let mount = MPDSubsystems(rawValue: 8192)
    static let all = MPDSubsystems(rawValue: 16_383)

    private static let names: [(MPDSubsystems, String)] = [
        (.database, "database"), (.update, "update"), (.storedPlaylist, "stored_playlist"),
        (.playlist, "playlist"), (.player, "player"), (.mixer, "mixer"), (.output, "output"),
        (.options, "options"), (.partition, "partition"), (.sticker, "sticker"),
        (.subscription, "subscription"), (.message, "message"), (.neighbor, "neighbor"), (.mount, "mount"),
    ]

    /// What a client waits for; without a word, everything.
    static func named(_ words: [String]) throws(MPDFailure) -> MPDSubsystems {
        var found: MPDSubsystems = words.isEmpty ? .all : []
        for word in words {
            guard let known = names.first(where: { $0.1 == word.lowercased() }) else {
                throw MPDFailure(.argument, "Unrecognized idle event: \(word)")
            }
            found.insert(known.0)
        }
        return found
    }

    /// The lines that end an `idle`, with its OK.
    var answer: String {
        Self.names.filter { contains($0.0) }.map { "changed: \($0.1)\n" }.joined() + "OK\n"
    }
}
