/// The list of what there is to choose from.
package struct HLSMaster: Sendable, Hashable {
    /// `EXT-X-STREAM-INF` and the address behind it.
    package struct Variant: Sendable, Hashable {
        package var url: String
        /// bit/s; 0 when not told.
        package var bandwidth = 0
        package var averageBandwidth: Int?
        /// As written: `mp4a.40.2`. Empty when not told.
        package var codecs: [String] = []
        /// It has a resolution, a frame rate or a video codec: not for radio if there is another.
        package var hasVideo = false
        /// Group of `EXT-X-MEDIA` that holds the audio, if it is apart.
        package var audioGroup: String?
        package var name: String?
    }

    /// `EXT-X-MEDIA` with `TYPE=AUDIO`.
    package struct Audio: Sendable, Hashable {
        package var group: String
        package var name: String
        package var language: String?
        /// Nil when the audio is inside the variant itself.
        package var url: String?
        package var isDefault = false
        package var isAutoselect = false
    }

    package var variants: [Variant] = []
    package var audio: [Audio] = []

    package init() {}

    init(lines: [ArraySlice<UInt8>], base: String) {
        var pending: [String: String]?
        for line in lines {
            if let tag = HLSTag(line) {
                if tag.name == "EXT-X-STREAM-INF" { pending = tag.attributes }
                if tag.name == "EXT-X-MEDIA" { addAudio(tag.attributes, base: base) }
            } else if line.first != UInt8(ascii: "#"), let attributes = pending {
                pending = nil
                addVariant(attributes, address: PlaylistBody.address(line), base: base)
            }
        }
    }

    private mutating func addVariant(_ attributes: [String: String], address: String, base: String) {
        guard variants.count < HLSPlaylist.mostVariants, let url = HLSAddress.resolve(address, base: base)
        else { return }
        var variant = Variant(url: url)
        variant.bandwidth = attributes["BANDWIDTH"].flatMap(Self.number) ?? 0
        variant.averageBandwidth = attributes["AVERAGE-BANDWIDTH"].flatMap(Self.number)
        variant.codecs = (attributes["CODECS"] ?? "").split(separator: ",").map {
            TitleCleaner.cleaned(String($0))
        }
        variant.hasVideo =
            attributes["RESOLUTION"] != nil || attributes["FRAME-RATE"] != nil
            || variant.codecs.contains(where: Self.isVideo)
        variant.audioGroup = attributes["AUDIO"]
        variant.name = attributes["NAME"].map(TitleCleaner.cleaned)
        variants.append(variant)
    }

    private mutating func addAudio(_ attributes: [String: String], base: String) {
        guard audio.count < HLSPlaylist.mostVariants, attributes["TYPE"]?.uppercased() == "AUDIO",
            let group = attributes["GROUP-ID"]
        else { return }
        audio.append(
            Audio(
                group: group, name: TitleCleaner.cleaned(attributes["NAME"] ?? ""),
                language: attributes["LANGUAGE"],
                url: attributes["URI"].flatMap { HLSAddress.resolve($0, base: base) },
                isDefault: attributes["DEFAULT"]?.uppercased() == "YES",
                isAutoselect: attributes["AUTOSELECT"]?.uppercased() == "YES"))
    }

    private static func number(_ text: String) -> Int? {
        ASCII.number(Array(text.utf8).prefix { $0 != 0x2E })
    }

    private static func isVideo(_ codec: String) -> Bool {
        ["avc", "hvc", "hev", "dvh", "vp0", "vp8", "vp9", "av01", "mp4v"].contains {
            codec.lowercased().hasPrefix($0)
        }
    }
}

/// Addresses in HLS playlists.
enum HLSAddress {
    /// Absolute and http or https; nil for anything else.
    static func resolve(_ text: String, base: String) -> String? {
        let text = URLReference.withoutBlanks(
            String(decoding: ASCII.trimmed(Array(text.utf8)), as: UTF8.self))
        guard !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let url = URLReference.resolve(text, against: base), URLReference.hasHost(url)
        else { return nil }
        return ["http", "https"].contains(URLReference.scheme(of: url)) ? url : nil
    }
}
