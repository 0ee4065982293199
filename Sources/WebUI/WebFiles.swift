internal import Cryptography
internal import HTTPWire
internal import Platform

/// The files of the page, read into memory once so that no loop's thread ever waits for a disk. Any thread.
package final class WebFiles: Sendable {
    /// A file as it is sent.
    package struct File: Sendable {
        package var type: String
        package var bytes: [UInt8]
        /// The same squeezed, where that is worth it.
        package var gzip: [UInt8]?
        /// Changes with the bytes; without quotes.
        package var tag: String
    }

    /// The page is some dozens of small files; whatever is beyond is not ours.
    private static let fileLimit = 4 << 20
    private static let countLimit = 2000
    private static let deepest = 4
    /// Below this the head costs more than squeezing saves.
    private static let smallest = 512

    package let folder: String?
    private let files: Lock<[String: File]>

    /// Reads a folder; nil serves nothing. Blocks.
    package init(folder: String?) {
        self.folder = folder
        files = Lock(folder.map(Self.read) ?? [:])
    }

    package var isEmpty: Bool { files.withLock { $0.isEmpty } }
    package var paths: [String] { files.withLock { $0.keys.sorted() } }

    /// By its path below the folder: `parts/mini-player.js`.
    package subscript(path: String) -> File? { files.withLock { $0[path] } }

    /// Reads the folder again. Blocks.
    package func reload() {
        guard let folder else { return }
        let read = Self.read(folder)
        files.withLock { $0 = read }
    }

    private static func read(_ folder: String) -> [String: File] {
        var found: [String: File] = [:]
        collect(folder, below: "", depth: 0, into: &found)
        return found
    }

    private static func collect(
        _ folder: String, below prefix: String, depth: Int, into found: inout [String: File]
    ) {
        for name in Files.names(in: folder) where !name.hasPrefix(".") && found.count < countLimit {
            let path = folder + "/" + name
            if name.contains(".") {
                if let bytes = try? Files.read(path, limit: fileLimit) {
                    found[prefix + name] = file(name, bytes)
                }
            } else if depth < deepest {
                collect(path, below: prefix + name + "/", depth: depth + 1, into: &found)
            }
        }
    }

    private static func file(_ name: String, _ bytes: [UInt8]) -> File {
        let type = MediaType.forFile(name)
        let isText = !type.hasPrefix("font/") && !(type.hasPrefix("image/") && type != "image/svg+xml")
        return File(
            type: type, bytes: bytes, gzip: isText && bytes.count >= smallest ? Gzip.squeezed(bytes) : nil,
            tag: String(SHA256.hex(bytes).prefix(20)))
    }
}
