internal import CLinux
internal import Glibc
internal import Platform

/// What waits to be written to one socket: bytes, and pieces of files that the kernel copies by itself.
struct OutputQueue {
    private enum Piece {
        case bytes([UInt8], offset: Int)
        case file(OpenFile, Range<Int64>)
    }

    enum Progress: Equatable {
        case drained
        /// The socket takes no more at present.
        case blocked
        /// The peer has gone, or the file is shorter than was promised.
        case failed
    }

    private var pieces: [Piece] = []

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ bytes: [UInt8]) {
        if !bytes.isEmpty { pieces.append(.bytes(bytes, offset: 0)) }
    }

    mutating func append(_ file: OpenFile, _ range: Range<Int64>) {
        if !range.isEmpty { pieces.append(.file(file, range)) }
    }

    /// Writes as much as the socket takes.
    /// - Parameter written: so many bytes went out.
    mutating func write(to socket: Int32, written: inout Int) -> Progress {
        while let piece = pieces.first {
            let count = Self.write(piece, to: socket)
            guard count > 0 else {
                return count < 0 && (errno == EAGAIN || errno == EINTR) ? .blocked : .failed
            }
            written += count
            if let rest = Self.rest(of: piece, after: count) {
                pieces[0] = rest
            } else {
                pieces.removeFirst()
            }
        }
        return .drained
    }

    private static func write(_ piece: Piece, to socket: Int32) -> Int {
        switch piece {
        case .bytes(let bytes, let offset):
            return bytes.withUnsafeBytes { buffer in
                send(
                    socket, buffer.baseAddress?.advanced(by: offset), buffer.count - offset,
                    Int32(MSG_NOSIGNAL))
            }
        case .file(let file, let range):
            var offset = off_t(range.lowerBound)
            return sendfile(socket, file.descriptor.number, &offset, range.count)
        }
    }

    private static func rest(of piece: Piece, after count: Int) -> Piece? {
        switch piece {
        case .bytes(let bytes, let offset):
            return offset + count < bytes.count ? .bytes(bytes, offset: offset + count) : nil
        case .file(let file, let range):
            let start = range.lowerBound + Int64(count)
            return start < range.upperBound ? .file(file, start..<range.upperBound) : nil
        }
    }
}
