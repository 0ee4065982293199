import Foundation
import FuzzOracles
import Testing

/// What the fuzzers start from and what they once found, judged without them.
@Suite("Fuzz corpus")
struct FuzzReplayTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Fuzz")

    @Test("every seed and every finding of old is read without a fault", arguments: FuzzTarget.allCases)
    func replay(target: FuzzTarget) throws {
        let seeds = Self.folder.appending(path: "Seeds/\(target.rawValue)")
        let files = try FileManager.default.contentsOfDirectory(at: seeds, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(target.fault(in: bytes) == nil, "\(file.lastPathComponent)")
            // Cut anywhere, and with something else to steer by.
            for cut in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 6)) {
                #expect(
                    target.fault(in: Array(bytes[..<cut])) == nil, "\(file.lastPathComponent) up to \(cut)")
                #expect(target.fault(in: bytes + [UInt8(truncatingIfNeeded: cut), 3, 7]) == nil)
            }
        }
    }

    @Test("every target has a dictionary and a bug to prove it by", arguments: FuzzTarget.allCases)
    func complete(target: FuzzTarget) {
        for path in ["Dictionaries/\(target.rawValue).dict", "Planted/\(target.rawValue).patch"] {
            #expect(
                FileManager.default.fileExists(
                    atPath: Self.folder.appending(path: path).path(percentEncoded: false)), "\(path)")
        }
    }
}
