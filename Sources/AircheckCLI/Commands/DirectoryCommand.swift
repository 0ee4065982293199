internal import JSONText
internal import Platform

/// `aircheck stations directory`: the snapshot of Radio Browser.
enum DirectoryCommand {
    /// Seconds between two looks while it is fetched.
    private static let pause = 0.5

    static func run(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var status = try client.get("/api/v1/directory")
        if invocation.has("refresh") {
            status = try client.send("POST", "/api/v1/directory/refresh")
            let wait = Semaphore()
            while status["state"]?.string == "fetching" {
                _ = wait.wait(seconds: pause)
                status = try client.get("/api/v1/directory")
            }
        }
        if status["state"]?.string == "failed" {
            throw CommandFailure(
                .tryAgain, status["reason"]?.string ?? "the directory was not fetched",
                remedy: "`aircheck stations directory --refresh` tries again.")
        }
        if invocation.json { return Terminal.print(status) }
        let stations = status["stations"]?.int ?? 0
        guard stations > 0 else {
            return Terminal.print("no snapshot; `aircheck stations directory --refresh` fetches one")
        }
        Terminal.print("\(stations) stations, fetched \(status["fetched"]?.string ?? "")")
        if let last = status["last"], !last.isNull {
            let words = ["added", "changed", "removed"].map { "\(last[$0]?.int ?? 0) \($0)" }
            Terminal.print(words.joined(separator: ", "))
        }
    }
}
