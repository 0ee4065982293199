/// What files are, by their extension, and what a `Content-Type` says.
package enum MediaType {
    /// The type for a file name or path; `application/octet-stream` for what is not known.
    package static func forFile(_ name: some StringProtocol) -> String {
        guard let dot = name.lastIndex(of: ".") else { return unknown }
        // A dot before the last slash leaves a slash in the extension, which is in no table.
        return byExtension[ASCIIText.lowercased(name[name.index(after: dot)...])] ?? unknown
    }

    package static let unknown = "application/octet-stream"

    /// The type without its parameters, in lower case: `application/json` of `Application/JSON; charset=utf-8`.
    package static func essence(_ header: String) -> String {
        ASCIIText.lowercased(ASCIIText.trimmed(header.prefix { $0 != ";" }))
    }

    private static let byExtension: [String: String] = [
        "mp3": "audio/mpeg", "mp2": "audio/mpeg", "mp1": "audio/mpeg", "aac": "audio/aac", "m4a": "audio/mp4",
        "mp4": "audio/mp4", "m4s": "audio/mp4", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "flac": "audio/flac", "wav": "audio/wav", "ts": "video/mp2t",
        "m3u": "audio/x-mpegurl", "m3u8": "application/vnd.apple.mpegurl", "pls": "audio/x-scpls",
        "xspf": "application/xspf+xml; charset=utf-8", "cue": "application/x-cue; charset=utf-8",
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8", "json": "application/json",
        "txt": "text/plain; charset=utf-8",
        "md": "text/markdown; charset=utf-8", "xml": "application/xml; charset=utf-8",
        "rss": "application/rss+xml; charset=utf-8", "ics": "text/calendar; charset=utf-8",
        "vtt": "text/vtt; charset=utf-8", "webmanifest": "application/manifest+json",
        "svg": "image/svg+xml", "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg",
        "gif": "image/gif",
        "webp": "image/webp", "ico": "image/x-icon", "woff2": "font/woff2",
    ]
}
