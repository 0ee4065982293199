internal import CLinux
internal import Glibc
internal import Platform
internal import StreamFormats

/// One listener of the demo station: its socket, the next frame it gets, and its place between two title blocks.
final class DemoListener {
    /// Audio bytes between two title blocks.
    static let interval = 16_000
    /// Bytes that may wait for a listener before it is dropped.
    private static let patience = 256 << 10

    private let socket: FileDescriptor
    private let wantsTitles: Bool
    private var frame: Int
    private var untilBlock = DemoListener.interval
    private var toldPiece: Int?
    private var waiting: [UInt8] = []

    /// - Parameter head: sent before the audio, in the same write.
    init(socket: consuming FileDescriptor, wantsTitles: Bool, from frame: Int, head: [UInt8]) {
        self.socket = socket
        self.wantsTitles = wantsTitles
        self.frame = frame
        waiting = head
    }

    /// Sends what is due until `live`; false when the listener has gone or does not keep up.
    func send(_ programme: DemoProgramme, until live: Int) -> Bool {
        while frame < live {
            let end = min(live, programme.nextPiece(after: frame))
            append(programme.frames(frame..<end), piece: programme.piece(at: frame))
            frame = end
        }
        return flush() && waiting.count < Self.patience
    }

    private func append(_ audio: [UInt8], piece: Int) {
        guard wantsTitles else { return waiting += audio }
        var rest = audio[...]
        while rest.count >= untilBlock {
            waiting += rest.prefix(untilBlock)
            rest = rest.dropFirst(untilBlock)
            waiting += block(piece)
            untilBlock = Self.interval
        }
        waiting += rest
        untilBlock -= rest.count
    }

    private func block(_ piece: Int) -> [UInt8] {
        guard toldPiece != piece else { return IcyBlockWriter.unchanged }
        toldPiece = piece
        return IcyBlockWriter.block(title: DemoProgramme.titles[piece])
    }

    private func flush() -> Bool {
        let sent = waiting.withUnsafeBytes { bytes in
            Glibc.send(
                socket.number, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        }
        if sent < 0 { return errno == EAGAIN }
        waiting.removeFirst(sent)
        return true
    }
}
