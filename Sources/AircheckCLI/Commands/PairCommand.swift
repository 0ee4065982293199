internal import JSONText
internal import Platform

/// `aircheck pair`: a one-time code that gives a browser control.
enum PairCommand {
    static let spec = CommandSpec(
        "pair", "show a one-time code that gives a browser control",
        options: [
            .value(
                "role", "ROLE", "listener, viewer, operator or admin; operator by default",
                completion: .words(["listener", "viewer", "operator", "admin"]))
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        let made = try client.send(
            "POST", "/api/v1/pairing", ["role": .string(invocation.text("role") ?? "operator")])
        if invocation.json { return Terminal.print(made) }
        Terminal.print(made["code"]?.string ?? "")
        Terminal.note("Open \(made["address"]?.string ?? "") or type the code in the page's settings.")
        Terminal.note("It works once, for five minutes.")
    }
}
