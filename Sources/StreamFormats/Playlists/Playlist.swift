/// A list of stream addresses, read from whatever a server calls a playlist.
package struct Playlist: Sendable, Hashable {
    package enum Format: String, Sendable, Hashable {
        case pls, m3u, xspf, asx
    }

    package struct Entry: Sendable, Hashable {
        /// Absolute and http or https when the list's own address was given; as written otherwise.
        package var url: String
        package var title: String?

        package init(url: String, title: String? = nil) {
            self.url = url
            self.title = title
        }
    }

    /// An entry that is not followed.
    package struct Refused: Sendable, Hashable {
        package enum Reason: String, Sendable, Hashable {
            /// A file of this machine, or of the one that wrote the list.
            case localFile = "local file"
            /// A scheme that is not http or https.
            case scheme
            /// Not an address.
            case malformed
            /// The same address stands further up.
            case duplicate
        }

        package var text: String
        package var reason: Reason
    }

    package var format: Format
    package var title: String?
    /// In the order of the list, each address once.
    package var entries: [Entry]
    package var refused: [Refused] = []
    /// The list was longer than what is read.
    package var isCut = false

    package init(format: Format, title: String? = nil, entries: [Entry] = []) {
        self.format = format
        self.title = title
        self.entries = entries
    }
}

/// What the bytes behind a playlist's address turned out to be.
package enum PlaylistReading: Sendable, Hashable {
    /// Why something is no playlist.
    package enum Reason: String, Sendable, Hashable {
        case webPage = "a web page"
        case audio = "audio"
        case binary = "not text"
        case empty = "empty"
        case noEntries = "text without an address"
        case unsafeXML = "XML with a document type"
    }

    case list(Playlist)
    /// An HLS playlist: to be read with `HLSPlaylist`.
    case hls
    case notAPlaylist(Reason)
}
