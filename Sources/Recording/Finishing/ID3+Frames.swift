/// The frames of a tag of ours as they stand, so that some can be changed and the others stay byte for byte.
///
/// Only ID3v2.4 without unsynchronisation and extended header, as we write it: what another program has rewritten in
/// another form is left alone.
extension ID3 {
    private static let frameHeadLength = 10

    /// Name and bytes of every frame, heads included; nil for a tag of another form, or bytes that end within it.
    static func frames(in tag: [UInt8]) -> [(name: String, bytes: ArraySlice<UInt8>)]? {
        let length = length(ofTagAt: tag)
        guard length > 0, length <= tag.count, tag[3] == 4, tag[5] == 0 else { return nil }
        var found: [(String, ArraySlice<UInt8>)] = []
        var rest = tag[headerLength..<length]
        while let first = rest.first, first != 0, rest.count > frameHeadLength {
            let size = rest.dropFirst(4).prefix(4)
            guard size.allSatisfy({ $0 < 0x80 }) else { return nil }
            let bytes = size.reduce(0) { $0 << 7 | Int($1) } + frameHeadLength
            guard bytes <= rest.count else { return nil }
            found.append((String(decoding: rest.prefix(4), as: UTF8.self), rest.prefix(bytes)))
            rest = rest.dropFirst(bytes)
        }
        return found
    }

    /// The frames of the picture in a tag; empty where there is none.
    static func picture(in tag: [UInt8]) -> [UInt8] {
        (frames(in: tag) ?? []).first { $0.name == "APIC" }.map { Array($0.bytes) } ?? []
    }

    /// The tag with other chapters, in the same length; all else stays as it is.
    /// - Returns: nil where the tag is of another form, or they do not fit.
    static func replacing(chapters: [TagFields.Chapter], in tag: [UInt8]) -> [UInt8]? {
        guard let frames = frames(in: tag) else { return nil }
        var fields = TagFields()
        fields.chapters = chapters
        let kept = frames.filter { $0.name != "CHAP" && $0.name != "CTOC" }.flatMap(\.bytes)
        return whole(kept + self.frames(fields), length: length(ofTagAt: tag))
    }
}
