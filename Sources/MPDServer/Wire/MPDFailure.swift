/// Why a command was not carried out, as the protocol numbers it. Written as `ACK [code@index] {command} text`.
package struct MPDFailure: Error, Sendable, Hashable {
    /// The protocol's numbers; clients decide by them.
    package enum Code: Int, Sendable, Hashable {
        case argument = 2
        case password = 3
        case permission = 4
        case unknown = 5
        case noExist = 50
        case playlistMax = 51
        case system = 52
        case playerSync = 55
        case exists = 56
    }

    package let code: Code
    package let text: String

    package init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    static let notPlaying = MPDFailure(.playerSync, "Not playing")
    static let notSeekable = MPDFailure(.unknown, "Not seekable")
    static let badIndex = MPDFailure(.argument, "Bad song index")
    static let noSong = MPDFailure(.noExist, "No such song")
    static let noSticker = MPDFailure(.noExist, "no such sticker")
    static let noPlaylist = MPDFailure(.noExist, "No such playlist")
    static let noDirectory = MPDFailure(.noExist, "No such directory")

    /// The line for the command with this name at this place of a command list.
    func line(command: String, index: Int) -> String {
        "ACK [\(code.rawValue)@\(index)] {\(command)} \(MPDReply.plain(text))\n"
    }
}
