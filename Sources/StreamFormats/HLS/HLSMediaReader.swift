/// Reads a media playlist line by line. Tags speak of the next address, or of all that follow.
struct HLSMediaReader {
    private var media = HLSMedia()
    private let base: String

    // Of all that follow.
    private var key: HLSMedia.Key?
    private var keyIsNew = false
    private var map: HLSMedia.Map?
    private var sequence = 0
    private var discontinuities = 0

    // Of the next address.
    private var duration: Duration?
    private var title: [UInt8]?
    private var range: (length: Int, offset: Int?)?
    private var isDiscontinuity = false
    private var isGap = false
    private var programDateTime: String?

    /// Where the range before ended, for ranges that tell only a length.
    private var lastRange: (url: String, end: Int)?

    init(base: String) { self.base = base }

    /// What counts for the whole list wherever it stands.
    mutating func readAhead(_ line: ArraySlice<UInt8>) {
        guard let tag = HLSTag(line) else { return }
        switch tag.name {
        case "EXT-X-VERSION": media.version = tag.number
        case "EXT-X-TARGETDURATION": media.targetDuration = HLSNumber.seconds(tag.value) ?? .zero
        case "EXT-X-MEDIA-SEQUENCE":
            sequence = tag.number ?? 0
            media.sequence = sequence
        case "EXT-X-DISCONTINUITY-SEQUENCE":
            discontinuities = tag.number ?? 0
            media.discontinuitySequence = discontinuities
        case "EXT-X-ENDLIST": media.isEnded = true
        default: break
        }
    }

    mutating func read(_ line: ArraySlice<UInt8>) {
        guard let tag = HLSTag(line) else {
            if line.first != UInt8(ascii: "#") { addSegment(PlaylistBody.address(line)) }
            return
        }
        switch tag.name {
        case "EXTINF": readInfo(tag.value)
        case "EXT-X-BYTERANGE": range = HLSNumber.range(String(decoding: tag.value, as: UTF8.self))
        case "EXT-X-DISCONTINUITY": isDiscontinuity = true
        case "EXT-X-GAP": isGap = true
        case "EXT-X-PROGRAM-DATE-TIME": programDateTime = TitleCleaner.cleaned(PlaylistBody.text(tag.value))
        case "EXT-X-KEY": readKey(tag.attributes)
        case "EXT-X-MAP": readMap(tag.attributes)
        default: break
        }
    }

    /// The list, with its last segments.
    var finished: HLSMedia {
        var list = media
        list.segments = Array(media.segments.suffix(HLSPlaylist.mostSegments))
        return list
    }

    private mutating func readInfo(_ value: ArraySlice<UInt8>) {
        let comma = value.firstIndex(of: UInt8(ascii: ",")) ?? value.endIndex
        duration = HLSNumber.seconds(ASCII.trimmed(value[..<comma]))
        let text = comma < value.endIndex ? ASCII.trimmed(value[(comma + 1)...]) : []
        title = text.isEmpty ? nil : Array(text)
    }

    /// Several keys may stand before a segment, one a scheme; one that we can use is kept.
    private mutating func readKey(_ attributes: [String: String]) {
        let method = attributes["METHOD"]?.uppercased() ?? "NONE"
        if method == "NONE" {
            key = nil
            keyIsNew = false
            return
        }
        let told = HLSMedia.Key(
            method: method == "AES-128" ? .aes128 : .other(TitleCleaner.cleaned(method)),
            url: attributes["URI"].flatMap { HLSAddress.resolve($0, base: base) },
            iv: attributes["IV"].flatMap(HLSNumber.initializationVector),
            format: attributes["KEYFORMAT"] ?? "identity")
        if keyIsNew, key?.isSupported == true, !told.isSupported { return }
        key = told
        keyIsNew = true
    }

    private mutating func readMap(_ attributes: [String: String]) {
        guard let url = attributes["URI"].flatMap({ HLSAddress.resolve($0, base: base) }) else { return }
        let told = attributes["BYTERANGE"].flatMap { HLSNumber.range($0) }
        let range = told.map { HLSMedia.ByteRange(offset: $0.offset ?? 0, length: $0.length) }
        map = HLSMedia.Map(url: url, range: range, key: key)
    }

    private mutating func addSegment(_ address: String) {
        let url = HLSAddress.resolve(address, base: base)
        let range = url.flatMap { byteRange(in: $0) }
        if isDiscontinuity { discontinuities += 1 }
        media.segments.append(
            HLSMedia.Segment(
                url: url ?? "", sequence: sequence, duration: duration ?? media.targetDuration, title: title,
                range: range, isDiscontinuity: isDiscontinuity, discontinuitySequence: discontinuities,
                programDateTime: programDateTime, isGap: isGap || url == nil, key: key, map: map))
        // In one go now and then, rather than a step for each segment beyond.
        if media.segments.count == 2 * HLSPlaylist.mostSegments {
            media.segments.removeFirst(HLSPlaylist.mostSegments)
        }
        sequence += 1
        keyIsNew = false
        forgetNext()
    }

    private mutating func byteRange(in url: String) -> HLSMedia.ByteRange? {
        guard let range else { return nil }
        let follows = lastRange.flatMap { $0.url == url ? $0.end : nil }
        let offset = range.offset ?? follows ?? 0
        // Both have at most 15 digits.
        lastRange = (url, offset + range.length)
        return HLSMedia.ByteRange(offset: offset, length: range.length)
    }

    private mutating func forgetNext() {
        duration = nil
        title = nil
        range = nil
        isDiscontinuity = false
        isGap = false
        programDateTime = nil
    }
}
