import StreamFormats

private let charsets = [
    nil, "windows-1251", "koi8-r", "windows-1256", "iso-8859-2", "no-such", "utf-16", "windows-1255",
]
private let sources: [RawTitle.Source] = [.icy, .id3, .extinf, .ogg]
private let encodings: [RawTitle.Encoding] = [.unknown, .utf8, .latin1, .utf16]

/// A title is one clean line of bounded length, whatever was sent; cleaning it again changes nothing; and the block that
/// our listeners get of it reads back as it was.
func judgeTitles(_ input: inout FuzzInput) throws(Fault) {
    let charset = charsets[input.choice(charsets.count)]
    let source = sources[input.choice(sources.count)]
    let encoding = encodings[input.choice(encodings.count)]
    var blocks = IcyBlockReader()
    let block = blocks.read(input.bytes)
    let plain = RawTitle(source: source, encoding: encoding, text: input.bytes)
    let reader = TitleReader(charset: charset, names: ["Radio New"])
    for raw in [plain, block].compactMap(\.self) {
        let title = reader.read(raw)
        for text in [title.text, title.artist, title.title, title.details.album].compactMap(\.self) {
            try holdIsLine(text, longest: 2 * TitleCleaner.longest)
            try hold(TitleCleaner.cleaned(text) == text, "cleaning twice changes \(text)")
        }
        for address in [title.details.artwork, title.details.link].compactMap(\.self) {
            try hold(address.lowercased().hasPrefix("http"), "address \(address)")
        }
        try hold(title.kind != .none || title.text.isEmpty, "nothing, in words: \(title.text)")
        try holdRoundTrip(title.text)
    }
    var history = CharsetHistory()
    _ = history.add(plain)
    _ = CharsetEvidence.judge(history.samples, country: "PL")
}

private func holdRoundTrip(_ text: String) throws(Fault) {
    let block = IcyBlockWriter.block(title: text)
    try hold(block.count == 1 + Int(block[0]) * 16, "a block of another length than it says")
    var blocks = IcyBlockReader()
    let back = blocks.read(Array(block.dropFirst()))
    try hold(back?.url == nil, "a title broke out of its block: \(text)")
    guard text.utf8.count < 4000 else { return }
    let expected = Array(text.utf8).split(separator: Array("';".utf8), omittingEmptySubsequences: false)
        .joined(separator: Array("\u{2019};".utf8))
    try hold(back?.text.elementsEqual(expected) == true, "block reads back differently: \(text)")
}
