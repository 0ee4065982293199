/// XSPF and ASX, both read by the names of their elements alone.
enum XMLPlaylist {
    /// Nil when the text is neither, or is refused.
    static func read(_ bytes: [UInt8], base: String?, _ limits: Playlist.Limits) -> Playlist? {
        let tokens = XMLTokens(bytes, most: limits.tokens)
        for case .open(let name, _) in tokens.all where name == "asx" || name == "playlist" {
            let isASX = name == "asx"
            let base = isASX ? tokens.all.lazy.compactMap(asxBase).first ?? base : base
            var entries = PlaylistEntries(format: isASX ? .asx : .xspf, base: base, limits)
            if isASX { readASX(tokens.all, into: &entries) } else { readXSPF(tokens.all, into: &entries) }
            if tokens.isCut { entries.cut() }
            return entries.playlist
        }
        return nil
    }

    /// `<track>` with `<location>` (more than one is allowed) and `<title>` in any order.
    private static func readXSPF(_ tokens: [XMLTokens.Token], into entries: inout PlaylistEntries) {
        var item = Item()
        for token in tokens {
            switch token {
            case .open("track", _): item = Item(isOpen: true)
            case .open(let name, _): item.element = name
            case .close("track"): item.finish(into: &entries)
            case .close(let name): item.close(name, listTitle: &entries, address: "location")
            case .text(let text): item.text += text
            }
        }
        item.finish(into: &entries)
    }

    /// `<entry>` with `<ref href>` and `<title>`; `<entryref href>` names another list; `<base href>` is where to start.
    private static func readASX(_ tokens: [XMLTokens.Token], into entries: inout PlaylistEntries) {
        var item = Item()
        for token in tokens {
            switch token {
            case .open("entry", _):
                // Whoever forgets to close an entry still means the next one to be another.
                item.finish(into: &entries)
                item = Item(isOpen: true)
            case .open("ref", let attributes), .open("entryref", let attributes):
                if let address = attributes["href"] { item.addresses.append(address) }
                if !item.isOpen { item.finish(into: &entries) }
            case .open(let name, _): item.element = name
            case .close("entry"): item.finish(into: &entries)
            case .close(let name): item.close(name, listTitle: &entries, address: nil)
            case .text(let text): item.text += text
            }
        }
        item.finish(into: &entries)
    }

    private static func asxBase(_ token: XMLTokens.Token) -> String? {
        guard case .open("base", let attributes) = token, let base = attributes["href"] else { return nil }
        return ["http", "https"].contains(URLReference.scheme(of: base)) ? base : nil
    }

    /// What was read of one entry so far.
    private struct Item {
        var isOpen = false
        var addresses: [String] = []
        var title: String?
        var text = ""
        /// The element that `text` stands in. Another one starts with no text.
        var element = "" { didSet { text = "" } }

        init(isOpen: Bool = false) { self.isOpen = isOpen }

        mutating func close(_ name: String, listTitle entries: inout PlaylistEntries, address: String?) {
            guard name == element else { return }
            if name == "title" {
                if isOpen { title = title ?? text } else { entries.setTitle(text) }
            } else if name == address, isOpen {
                addresses.append(text)
            }
            element = ""
        }

        mutating func finish(into entries: inout PlaylistEntries) {
            for address in addresses { entries.add(address, title: title) }
            self = Item()
        }
    }
}
