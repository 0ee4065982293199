internal import CTags
internal import Platform

/// What a file says of itself, container aside: names as ID3v2.4 has them, values as people read them.
package struct TagFields: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    package struct Picture: Sendable, Hashable {
        package var mediaType: String
        package var bytes: [UInt8]

        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    package struct Chapter: Sendable, Hashable {
        /// Seconds from the start of the file.
        package var start: Double
        package var end: Double
        package var title: String

        package init(start: Double, end: Double, title: String) {
            self.start = start
            self.end = end
            self.title = title
        }
    }

    package var fields: [Field] = []
    package var picture: Picture?
    package var chapters: [Chapter] = []

    package init() {}

    /// Adds a field, unless there is nothing to say.
    package mutating func add(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        fields.append(Field(name: name, value: value))
    }

    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// ID3v2.4 tags by TagLib, which builds and reads frames and never saves: a save would move the audio.
package enum ID3 {
    /// Bytes of the header in front of the frames.
    static let headerLength = 10
    /// The size field has four times seven bits.
    private static let sizeLimit = 1 << 28

    /// A whole tag that is exactly `length` bytes long; the rest is padding.
    /// - Parameter picture: frames of a picture that the tag is to have, where the fields bring none.
    /// - Returns: nil where it does not fit.
    package static func tag(_ tag: TagFields, length: Int, picture: [UInt8] = []) -> [UInt8]? {
        whole(frames(tag) + (tag.picture == nil ? picture : []), length: length)
    }

    /// A tag of these frames.
    /// - Returns: nil where they do not fit.
    static func whole(_ frames: [UInt8], length: Int) -> [UInt8]? {
        guard frames.count + headerLength <= length, length < sizeLimit else { return nil }
        return header(length - headerLength) + frames
            + [UInt8](repeating: 0, count: length - headerLength - frames.count)
    }

    /// The least length that `tag` needs.
    static func length(_ tag: TagFields) -> Int { frames(tag).count + headerLength }

    private static func header(_ size: Int) -> [UInt8] {
        let sevens = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
        return [0x49, 0x44, 0x33, 4, 0, 0] + sevens
    }

    /// Bytes of the tag at the front of a file, from its header; 0 where there is none.
    static func length(ofTagAt bytes: [UInt8]) -> Int {
        guard bytes.count >= headerLength, bytes.starts(with: [0x49, 0x44, 0x33]) else { return 0 }
        guard bytes[6...9].allSatisfy({ $0 < 0x80 }) else { return 0 }
        let size = bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
        let footer = bytes[5] & 0x10 != 0 ? headerLength : 0
        return headerLength + size + footer
    }

    static func frames(_ tag: TagFields) -> [UInt8] {
        // C borrows the texts while it builds; they are kept in one place until it has.
        let texts = CStrings()
        let fields = tag.fields.map {
            aircheck_tag_field(name: texts.keep($0.name), value: texts.keep($0.value))
        }
        let chapters = tag.chapters.map { chapter in
            aircheck_tag_chapter(
                start_milliseconds: milliseconds(chapter.start), end_milliseconds: milliseconds(chapter.end),
                title: texts.keep(chapter.title))
        }
        let picture = tag.picture
        return (picture?.bytes ?? []).withUnsafeBufferPointer { bytes in
            let cover = aircheck_tag_picture(
                media_type: texts.keep(picture?.mediaType ?? ""), bytes: bytes.baseAddress,
                length: bytes.count)
            var length = 0
            guard
                let found = aircheck_tag_render(
                    fields, fields.count, cover, chapters, chapters.count, &length)
            else { return [] }
            defer { aircheck_tag_free(found) }
            return Array(UnsafeBufferPointer(start: found, count: length))
        }
    }

    private static func milliseconds(_ seconds: Double) -> UInt32 {
        UInt32(bounded: (seconds * 1000).rounded())
    }

    /// Reads a whole tag back; nil where the bytes do not begin with one.
    package static func read(_ bytes: [UInt8]) -> TagFields? {
        let found = Found()
        let context = Unmanaged.passUnretained(found).toOpaque()
        guard aircheck_tag_read(bytes, bytes.count, visitFrame, context) == 0 else { return nil }
        return found.tag
    }

    fileprivate final class Found {
        var tag = TagFields()
    }
}

/// TagLib's door calls this for every frame it finds; `context` is the `Found` of the reader, which outlives the call.
private nonisolated func visitFrame(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?,
    _ start: UInt32,
    _ end: UInt32
) {
    guard let context, let name, let value else { return }
    let found = Unmanaged<ID3.Found>.fromOpaque(context).takeUnretainedValue()
    if String(cString: name) == "CHAP" {
        found.tag.chapters.append(
            TagFields.Chapter(
                start: Double(start) / 1000, end: Double(end) / 1000, title: String(cString: value)))
    } else {
        found.tag.add(String(cString: name), String(cString: value))
    }
}

/// Texts for C that live as long as this does. A zero byte ends a text in C, so none is let in.
private final class CStrings {
    private var kept: [UnsafeMutablePointer<CChar>] = []

    func keep(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8.filter { $0 != 0 }
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
        copy[bytes.count] = 0
        kept.append(copy)
        return UnsafePointer(copy)
    }

    deinit { for copy in kept { copy.deallocate() } }
}
