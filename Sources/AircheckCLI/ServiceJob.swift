internal import JSONText
internal import Platform

/// Long work that the service does: asked for, watched, and its result.
struct ServiceJob {
    let service: ServiceClient
    let invocation: Invocation

    /// Waits for its end. Ctrl-C leaves it to the service.
    /// - Parameter doing: shown before how far it is: `cutting`.
    /// - Returns: nil where it was left.
    func run(_ path: String, _ body: JSONValue = .object([]), doing: String) throws -> JSONValue? {
        var job = try service.send("POST", path, body)
        while true {
            switch job["state"]?.string {
            case "done":
                Terminal.endProgress()
                return job["result"] ?? .null
            case "cancelled": throw CommandFailure(.unavailable, "the job was cancelled")
            case "failed":
                throw CommandFailure(
                    .unavailable, job["error"]?["message"]?.string ?? "the service could not do it",
                    remedy: job["error"]?["remedy"]?.string)
            default: break
            }
            let id = job["id"]?.string ?? ""
            if !invocation.quiet, !invocation.json {
                Terminal.progress(
                    "\(doing): \(job["state"]?.string == "waiting" ? "waits for another job" : Self.percent(job))"
                )
            }
            if Signals.next(within: 0.5) == .end {
                Terminal.endProgress()
                Terminal.note(
                    TerminalText.escaped(
                        "goes on in the service as job \(id); `aircheck recordings cancel \(id)` ends it"))
                return nil
            }
            job = try service.get("/api/v1/jobs/\(ServiceClient.encoded(id))")
        }
    }

    static func percent(_ job: JSONValue) -> String {
        "\(Int(bounded: ((job["progress"]?.double ?? 0) * 100).rounded())) %"
    }
}
