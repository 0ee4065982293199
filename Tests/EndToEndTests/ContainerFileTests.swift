import Foundation
import TestPrograms
import Testing

/// No container engine is at hand where tests run: the files are read by a YAML parser and looked at.
@Suite("Container files")
struct ContainerFileTests {
    private static var root: String {
        var folder = (#filePath as NSString).deletingLastPathComponent
        while !FileManager.default.fileExists(atPath: folder + "/Package.swift") {
            folder = (folder as NSString).deletingLastPathComponent
        }
        return folder
    }

    private static let hasYAML: Bool = {
        guard let folder = try? TemporaryFolder("yaml") else { return false }
        return (try? RunningProgram.run("python3", ["-c", "import yaml"], in: folder))?.exitCode == 0
    }()

    @Test(
        "docker-compose.yml is YAML with both services, volumes, and ports on loopback",
        .enabled(if: hasYAML, "needs python3-yaml"))
    func compose() throws {
        let script = """
            import sys, yaml
            doc = yaml.safe_load(open(sys.argv[1]))
            s = doc["services"]
            assert set(s) == {"aircheck", "icecast"}, s.keys()
            assert all(p.startswith("127.0.0.1:") for p in s["aircheck"]["ports"])
            named = {v.split(":")[0] for v in s["aircheck"]["volumes"] if not v.startswith((".", "$"))}
            assert named == set(doc["volumes"]), (named, doc["volumes"])
            assert s["aircheck"]["build"]["dockerfile"] == "Containerfile"
            print("fine")
            """
        let folder = try TemporaryFolder("compose")
        let answer = try RunningProgram.run(
            "python3", ["-c", script, Self.root + "/docker-compose.yml"], in: folder)
        #expect(answer.output.contains("fine"), "\(answer.errors)")
    }

    @Test("the Containerfile copies only what is there, and installs the libraries that the executables need")
    func containerfile() throws {
        let text = try String(contentsOfFile: Self.root + "/Containerfile", encoding: .utf8)
        for line in text.split(separator: "\n") where line.hasPrefix("COPY ") && !line.contains("--from") {
            for source in line.split(separator: " ").dropFirst().dropLast() {
                #expect(FileManager.default.fileExists(atPath: "\(Self.root)/\(source)"), "\(source)")
            }
        }
        #expect(text.contains("USER aircheck"))
        // The package cannot be read where the folder of one of its targets is missing.
        let package = try String(contentsOfFile: Self.root + "/Package.swift", encoding: .utf8)
        let folders = package.split(separator: "path: \"").dropFirst().compactMap {
            $0.split(separator: "/").first.map(String.init)
        }
        #expect(folders.count > 4)
        for folder in Set(folders) { #expect(text.contains("\nCOPY \(folder) \(folder)\n"), "\(folder)") }
    }
}
