import StreamFormats

private let types = [
    nil, "audio/x-mpegurl", "audio/x-scpls", "application/xspf+xml", "video/x-ms-asf", "text/html",
]

/// Entries are web addresses and bounded in number, and what we write of them reads back as it was.
func judgePlaylists(_ input: inout FuzzInput) throws(Fault) {
    let type = types[input.choice(types.count)]
    let base = "http://h.example/dir/list.m3u?x=1"
    guard case .list(let list) = Playlist.parse(input.bytes, mediaType: type, url: base) else { return }
    try hold(list.entries.count <= Playlist.Limits.fetched.entries, "\(list.entries.count) entries")
    try hold(Set(list.entries.map(\.url)).count == list.entries.count, "an address twice")
    for entry in list.entries {
        try holdIsWebAddress(entry.url)
        try holdIsLine(entry.title ?? "", longest: TitleCleaner.longest)
        try hold(URLReference.resolve(entry.url, against: nil) == entry.url, "address changes: \(entry.url)")
    }
    guard !list.entries.isEmpty else { return }
    let written = [
        PlaylistWriter.m3u(list.entries), PlaylistWriter.pls(list.entries),
        PlaylistWriter.xspf(list.entries, title: list.title),
    ]
    for text in written {
        guard case .list(let back) = Playlist.parse(Array(text.utf8), url: nil) else {
            throw Fault(words: "unreadable: \(text)")
        }
        try hold(
            back.isCut || back.entries.map(\.url) == list.entries.map(\.url),
            "reads back differently: \(text)")
    }
}
