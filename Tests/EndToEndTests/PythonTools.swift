import Foundation
import TestPrograms

/// Programs of the Python world that are tested against, in an environment of their own: `scripts/test-python` makes it.
enum PythonTools {
    /// The folder of the environment; AIRCHECK_TEST_PYTHON names another.
    static var folder: String {
        ProcessInfo.processInfo.environment["AIRCHECK_TEST_PYTHON"]
            ?? FileManager.default.currentDirectoryPath + "/.build/test-python"
    }

    static var python: String { folder + "/bin/python" }

    /// Whether a module can be imported.
    static func has(_ module: String) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: python),
            let folder = try? TemporaryFolder("python")
        else { return false }
        return (try? RunningProgram.run(python, ["-c", "import \(module)"], in: folder, within: 30))?.exitCode
            == 0
    }

    static func run(
        _ script: String, _ arguments: [String] = [], in folder: TemporaryFolder, within seconds: Double = 60
    )
        throws -> (exitCode: Int32?, output: String, errors: String)
    {
        try RunningProgram.run(python, [script] + arguments, in: folder, within: seconds)
    }
}
