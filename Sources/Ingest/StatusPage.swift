import Transfers

/// Old servers show a web page where a browser would look; the stream is next door.
enum StatusPage {
    /// How far into a page a server's name is looked for.
    private static let depth = 4096

    /// Addresses on the same server that are likely to be the stream, the likeliest last, so that it ends up first when
    /// each is put in front. None for any other page.
    static func streams(behind page: [UInt8], at url: URLText) -> [URLText] {
        let isRoot = url.path == "/" || url.path.hasPrefix("/index.html")
        guard isRoot, mentionsShoutcast(page.prefix(depth)) || url.path.hasPrefix("/index.html") else {
            return []
        }
        let query = url.query.map { "?\($0)" } ?? ""
        return ["/stream\(query)", "/;\(query)"].compactMap { try? url.resolving($0) }
    }

    private static func mentionsShoutcast(_ page: ArraySlice<UInt8>) -> Bool {
        let name = Array("shoutcast".utf8)
        let lowered = page.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        guard lowered.count >= name.count else { return false }
        return (0...(lowered.count - name.count)).contains {
            lowered[$0..<($0 + name.count)].elementsEqual(name)
        }
    }
}
