import Foundation
import JSONText
import TestPrograms
import Testing

/// The description of the API against the service, by a program that makes up calls out of it.
@Suite("EndToEnd: the API keeps to its description", .serialized)
struct APIConformanceTests {
    @Test(
        "schemathesis finds no failure of ours and no answer that the description does not have",
        .enabled(if: PythonTools.has("schemathesis"), "needs schemathesis: scripts/test-python"))
    func schemathesis() throws {
        let folder = try TemporaryFolder("conformance")
        // Nothing here may reach beyond this machine, or take long.
        let service = try AircheckService(
            in: folder,
            settings:
                "[player]\noutput = \"null\"\n[catalogue]\ndirectory = false\nprobe_every = \"0s\"\non_now_every = \"0s\"\n"
        )
        let made = try service.command(["token", "create", "conformance", "--role", "admin"])
        let words = (made.output + made.errors).split { $0.isWhitespace }
        let token = try #require(words.first { $0.hasPrefix("ac_") && $0.contains(".") })
        let isLong = ProcessInfo.processInfo.environment["AIRCHECK_TESTS"] == "all"
        let run = try RunningProgram.run(
            PythonTools.folder + "/bin/schemathesis",
            [
                "run", service.address + "/api/v1/openapi.json", "-H", "Authorization: Bearer \(token)",
                "--checks",
                "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance",
                "--max-examples", isLong ? "60" : "3", "--phases", "fuzzing", "--generation-deterministic",
                "--request-timeout", "20", "--exclude-path-regex", "(probe|events)$", "--no-color",
            ], in: folder, environment: ["HOME": folder.path], within: isLong ? 900 : 240)
        #expect(run.exitCode == 0, "\(run.output.suffix(6000)) \(run.errors.suffix(1000))")
        #expect(try service.get("/readyz")["status"]?.string == "ready")
        service.stop()
    }
}
