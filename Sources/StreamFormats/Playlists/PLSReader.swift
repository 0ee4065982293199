/// PLS, and the two formats of Windows that look like it (`[Reference]` with `Ref1=`, `[InternetShortcut]` with `URL=`).
///
/// Counts and versions are not looked at: they are wrong too often.
enum PLSReader {
    static func looksLike(_ lines: [ArraySlice<UInt8>]) -> Bool {
        lines.contains { line in
            ["[playlist]", "[reference]", "[internetshortcut]"].contains { ASCII.hasPrefix(line, $0) }
        } || lines.first.flatMap(field).map { $0.kind == .file && $0.number != nil } ?? false
    }

    static func read(_ lines: [ArraySlice<UInt8>], base: String?, _ limits: Playlist.Limits) -> Playlist {
        var files: [(number: Int, url: String)] = []
        var titles: [Int: String] = [:]
        for line in lines {
            guard let field = field(line) else { continue }
            let number = field.number ?? files.count + 1
            switch field.kind {
            case .file: files.append((number, PlaylistBody.address(field.value)))
            case .title: titles[number] = titles[number] ?? PlaylistBody.text(field.value)
            }
        }
        var entries = PlaylistEntries(format: .pls, base: base, limits)
        let sorted = files.enumerated().sorted {
            ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
        }
        for (_, file) in sorted { entries.add(file.url, title: titles[file.number]) }
        return entries.playlist
    }

    private enum Kind { case file, title }

    /// `File3=http://…`: what it is, which one, and all that stands behind the first `=`.
    private static func field(_ line: ArraySlice<UInt8>) -> (
        kind: Kind, number: Int?, value: ArraySlice<UInt8>
    )? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let key = ASCII.trimmed(line[..<equals])
        let digits = key.reversed().prefix(while: ASCII.isDigit).reversed()
        let name = key.dropLast(digits.count)
        let value = ASCII.trimmed(line[(equals + 1)...])
        let number = ASCII.number(digits)
        if ["file", "ref", "url"].contains(where: { ASCII.equal(name, $0.utf8) }) {
            return (.file, number, value)
        }
        return ASCII.equal(name, "title") ? (.title, number, value) : nil
    }
}
