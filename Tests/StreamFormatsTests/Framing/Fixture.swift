import Foundation

/// The real streams beside the tests; see Fixtures/README.md.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let folder = Bundle.module.resourceURL?.appendingPathComponent("Fixtures")
        guard let url = folder?.appendingPathComponent(name) else { throw CocoaError(.fileNoSuchFile) }
        return Array(try Data(contentsOf: url))
    }

    /// What ffprobe and ffmpeg counted in a fixture.
    struct Count: CustomStringConvertible {
        var name: String
        var codec: String
        var rate: Int
        var channels: Int
        var packets: Int
        var bytes: Int
        /// Per channel, as ffmpeg decodes them.
        var samples: Int

        var description: String { name }
    }

    static func counts() throws -> [Count] {
        let lines = String(decoding: try bytes("oracle.tsv"), as: UTF8.self).split(separator: "\n")
        return lines.map { line in
            let fields = line.split(separator: "\t")
            return Count(
                name: String(fields[0]), codec: String(fields[1]), rate: Int(fields[2]) ?? 0,
                channels: Int(fields[3]) ?? 0, packets: Int(fields[4]) ?? 0, bytes: Int(fields[5]) ?? 0,
                samples: Int(fields[6]) ?? 0)
        }
    }
}
