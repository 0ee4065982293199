internal import JSONText
internal import Platform

/// `aircheck log`: what aired.
enum LogCommand {
    static let spec = CommandSpec(
        "log", "the airplay log: what aired on the stations that were read, newest first",
        operands: [.optional("TEXT", "words of a title, or their beginnings").repeated()],
        options: [
            .value("station", "STATION", "of this station alone", completion: .station),
            .value("from", "TIME", "not before: 2026-12-24T18:00:00Z"), .value("to", "TIME", "before that"),
            .value("limit", "N", "at most so many; 100 by default"), .flag("csv", "for a spreadsheet"),
        ]
    ) { try run($0) }

    private static func run(_ invocation: Invocation) throws {
        let client = try ServiceClient.require(invocation)
        var parts = ["limit=\(try invocation.integer("limit", in: 1...5000) ?? 100)"]
        if !invocation.operands.isEmpty {
            parts.append("query=\(ServiceClient.encoded(invocation.operands.joined(separator: " ")))")
        }
        for key in ["station", "from", "to"] {
            if let value = invocation.text(key) { parts.append("\(key)=\(ServiceClient.encoded(value))") }
        }
        let query = parts.joined(separator: "&")
        if invocation.has("csv") { return Terminal.print(try client.text("/api/v1/log.csv?\(query)")) }
        let airings = try client.get("/api/v1/log?\(query)")["airings"]?.array ?? []
        if invocation.json { return airings.forEach { Terminal.print($0) } }
        Terminal.table(
            airings.map { airing in
                [
                    airing["time"]?.string ?? "", airing["station"]?.string ?? "",
                    airing["class"]?.string ?? "",
                    airing["text"]?.string ?? "",
                ]
            })
    }
}
