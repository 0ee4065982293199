extension ID3Tag {
    /// A tag that is longer is not kept with the title, so that artwork does not fill the window of a station.
    private static let longestKeptBlock = 256 * 1024

    /// The tag as a title; nil where it names none. `block` is the whole tag, for those who want its picture.
    package func rawTitle(block: ArraySlice<UInt8>) -> RawTitle? {
        guard let title = title ?? namedTitle else { return nil }
        let encoding: RawTitle.Encoding =
            artist.map { $0.encoding == title.encoding } ?? true ? title.encoding : .utf8
        return RawTitle(
            source: .id3, encoding: encoding, text: Self.bytes(of: title, as: encoding),
            artist: artist.map { Self.bytes(of: $0, as: encoding) },
            url: userLinks.first.map { Array($0.value.bytes.prefix(RawTitle.longestText)) },
            block: block.count <= Self.longestKeptBlock ? Array(block) : [])
    }

    /// Some encoders put the ICY title into a user text.
    private var namedTitle: Text? {
        userTexts.first { $0.description.bytes.elementsEqual("StreamTitle".utf8) }?.value
    }

    /// Two fields of one title share one encoding: UTF-8 where they differ.
    private static func bytes(of text: Text, as encoding: RawTitle.Encoding) -> [UInt8] {
        let bytes = text.bytes.prefix(RawTitle.longestText)
        guard text.encoding == .latin1, encoding == .utf8 else { return Array(bytes) }
        return bytes.flatMap { Array(String(UnicodeScalar($0)).utf8) }
    }
}
