import Platform
import Recording
import Testing

@testable import AircheckCLI

@Suite("What `record` asks for when it records by itself")
struct RecordPlanTests {
    private func request(_ words: [String]) throws -> RecordingRequest {
        let invocation = try Invocation(RecordCommand.spec, ["http://radio.example/"] + words)
        return try RecordPlan(invocation).request(TrackRules())
    }

    /// Words, the folder of the whole, the folder of the tracks.
    private static let folders: [(words: [String], whole: String?, tracks: String?)] = [
        ([], ".", nil),
        (["-o", "x"], "x", nil),
        (["--split"], ".", "."),
        (["--split", "-o", "x"], "x", "x"),
        (["--split", "--no-whole"], nil, "."),
        (["--split", "--no-whole", "-o", "x"], nil, "x"),
        (["--tracks", "t"], nil, "t"),
        (["--tracks", "t", "--no-whole"], nil, "t"),
        (["--tracks", "t", "--split"], ".", "t"),
        (["--tracks", "t", "-o", "x"], "x", "t"),
    ]

    @Test("a whole beside the tracks, unless it was left out", arguments: folders)
    func targets(words: [String], whole: String?, tracks: String?) throws {
        let request = try request(words)
        if case .library(let folder, _)? = request.target {
            #expect(folder == whole)
        } else {
            #expect(whole == nil && request.target == nil)
        }
        #expect(request.tracks?.folder == tracks)
    }

    @Test("a template names the whole, and the tracks where there are only those")
    func templates() throws {
        let names = "{title} by {artist}"
        #expect(try request(["--tracks", "t", "--format", names]).tracks?.template.description == names)
        let both = try request(["--split", "--format", names])
        #expect(both.tracks?.template == .track)
        guard case .library(_, let template)? = both.target else {
            Issue.record("there is no whole")
            return
        }
        #expect(template.description == names)
    }

    @Test(
        "without tracks there is nothing that could be left alone",
        arguments: [["--no-whole"], ["--no-whole", "--split", "--whole", "x.mp3"]])
    func nothingLeft(words: [String]) {
        #expect(throws: CommandFailure.self) { try request(words) }
    }
}
