internal import CToml

extension TOMLValue {
    /// Longest document that is read, in bytes. A list of ten thousand stations fits.
    package static let defaultLimit = 4 << 20

    /// Reads a document; the answer is its top table.
    ///
    /// Values nest at most 32 deep.
    /// - Parameters:
    ///   - file: what messages call it.
    ///   - limit: bytes of text that are read at most.
    /// - Throws: `TOMLError` with the place. It repeats no more of the text than the parser's own word for it.
    package static func parse(
        _ text: [UInt8], file: String, limit: Int = defaultLimit
    ) throws(TOMLError) -> TOMLValue {
        guard text.count <= limit else {
            throw TOMLError(
                file: file, message: "the file is \(text.count) bytes; at most \(limit) are read, so split it"
            )
        }
        if let place = TOMLDepthGuard.tooDeep(text) {
            throw TOMLError(
                file: file, position: place, message: "names joined by dots nest too deep; use fewer than 32")
        }
        let document = text.withUnsafeBytes {
            aircheck_toml_parse($0.bindMemory(to: CChar.self).baseAddress, $0.count)
        }
        guard let document else { throw TOMLError(file: file, message: "there is no memory to read it") }
        defer { aircheck_toml_free(document) }
        if let problem = aircheck_toml_error(document) {
            let place = TOMLPosition(
                line: Int(aircheck_toml_error_line(document)),
                column: Int(aircheck_toml_error_column(document)))
            throw TOMLError(file: file, position: place, message: String(cString: problem))
        }
        var reader = NodeReader(
            nodes: UnsafeBufferPointer(
                start: aircheck_toml_nodes(document), count: aircheck_toml_node_count(document)))
        return reader.next()
    }

    /// The same for text in a string.
    package static func parse(
        _ text: String, file: String, limit: Int = defaultLimit
    ) throws(TOMLError) -> TOMLValue {
        try parse(Array(text.utf8), file: file, limit: limit)
    }
}

/// Rebuilds the tree from the flat list. The list comes from our own door, which promises its shape.
private struct NodeReader {
    let nodes: UnsafeBufferPointer<aircheck_toml_node>
    var index = 0

    mutating func next() -> TOMLValue {
        let node = nodes[index]
        index += 1
        let position = TOMLPosition(line: Int(node.line), column: Int(node.column))
        return TOMLValue(content(of: node), at: position)
    }

    private mutating func content(of node: aircheck_toml_node) -> TOMLValue.Content {
        switch aircheck_toml_kind(UInt32(node.kind)) {
        case AIRCHECK_TOML_TABLE: .table(entries(node.children))
        case AIRCHECK_TOML_ARRAY: .array((0..<node.children).map { _ in next() })
        case AIRCHECK_TOML_INTEGER: .integer(node.integer)
        case AIRCHECK_TOML_REAL: .real(node.real)
        case AIRCHECK_TOML_BOOLEAN: .boolean(node.integer != 0)
        case AIRCHECK_TOML_MOMENT: .moment(text(node.text, node.text_length))
        default: .string(text(node.text, node.text_length))
        }
    }

    /// The parser sorts keys by name; people wrote them in an order, and messages follow it.
    private mutating func entries(_ count: UInt32) -> [TOMLEntry] {
        var entries: [TOMLEntry] = []
        for _ in 0..<count {
            let node = nodes[index]
            let place = TOMLPosition(line: Int(node.key_line), column: Int(node.key_column))
            entries.append(TOMLEntry(text(node.key, node.key_length), at: place, next()))
        }
        return entries.sorted { $0.position < $1.position }
    }

    private func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let start else { return "" }
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
