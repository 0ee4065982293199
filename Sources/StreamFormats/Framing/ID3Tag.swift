/// An ID3v2 tag, 2.2 to 2.4, as far as a radio needs it: names, links, pictures and the time stamp of HLS.
///
/// A tag that is cut short or lies about sizes gives what could be read before the flaw. Only copies, never fails.
package struct ID3Tag: Sendable, Hashable {
    /// A text as it stands in the tag: UTF-16 is turned into UTF-8, what claims to be Latin-1 stays as it came.
    package struct Text: Sendable, Hashable {
        package var bytes: [UInt8]
        package var encoding: RawTitle.Encoding
    }

    /// `TXXX` or `WXXX`.
    package struct UserField: Sendable, Hashable {
        package var description: Text
        package var value: Text
    }

    package struct Picture: Sendable, Hashable {
        /// As the tag says it, `image/jpeg`; `-->` where `data` is a link.
        package var mediaType: [UInt8]
        /// 3 is the front cover.
        package var kind: UInt8
        package var data: [UInt8]
    }

    package static let headerLength = 10

    package private(set) var title: Text?
    package private(set) var artist: Text?
    package private(set) var userTexts: [UserField] = []
    package private(set) var userLinks: [UserField] = []
    package private(set) var pictures: [Picture] = []
    /// The 33-bit MPEG time stamp, 90 kHz, of HLS packed audio (RFC 8216 §3.4).
    package private(set) var timestamp: UInt64?

    /// The whole tag, header and footer included. Nil where `bytes` do not begin a tag.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headerLength,
            Self.announcedLength(at: { bytes[bytes.startIndex + $0] }) != nil
        else {
            return nil
        }
        for frame in ID3Frames(tag: bytes) { take(frame) }
    }

    /// Bytes of the tag that begins `bytes`, header and footer included; nil where there is none.
    package static func announcedLength(_ bytes: Span<UInt8>) -> Int? {
        guard bytes.count >= headerLength else { return nil }
        return announcedLength(at: { bytes[$0] })
    }

    static func announcedLength(_ window: borrowing ByteWindow, at index: Int) -> Int? {
        guard window.count - index >= headerLength, window[index] == 0x49 else { return nil }
        return announcedLength(at: { window[index + $0] })
    }

    private static func announcedLength(at byte: (Int) -> UInt8) -> Int? {
        guard byte(0) == 0x49, byte(1) == 0x44, byte(2) == 0x33, 2...4 ~= byte(3), byte(4) != 0xFF,
            byte(5) & 0x0F == 0, (byte(6) | byte(7) | byte(8) | byte(9)) < 0x80
        else { return nil }
        let size = Int(byte(6)) << 21 | Int(byte(7)) << 14 | Int(byte(8)) << 7 | Int(byte(9))
        return headerLength + size + (byte(3) == 4 && byte(5) & 0x10 != 0 ? 10 : 0)
    }

    private mutating func take(_ frame: ID3Frames.Frame) {
        switch frame.name {
        case "TIT2", "TT2": title = title ?? ID3Strings(frame.body).joined(by: " / ")
        case "TPE1", "TP1": artist = artist ?? ID3Strings(frame.body).joined(by: ", ")
        case "TXXX", "TXX": ID3Strings(frame.body).pair().map { userTexts.append($0) }
        case "WXXX", "WXX": ID3Strings(frame.body).link().map { userLinks.append($0) }
        case "APIC": picture(frame.body)
        case "PIC": oldPicture(frame.body)
        case "PRIV": priv(frame.body)
        default: break
        }
    }

    /// Encoding, media type, kind, description, data.
    private mutating func picture(_ body: ArraySlice<UInt8>) {
        guard let encoding = body.first, let end = body.dropFirst().firstIndex(of: 0) else { return }
        add(mediaType: Array(body[body.startIndex + 1..<end]), rest: body[(end + 1)...], encoding: encoding)
    }

    /// ID3v2.2: encoding, three letters, kind, description, data.
    private mutating func oldPicture(_ body: ArraySlice<UInt8>) {
        guard let encoding = body.first, body.count > 5 else { return }
        let letters = body[body.startIndex + 1..<body.startIndex + 4]
        let type: StaticString = letters.elementsEqual("PNG".utf8) ? "image/png" : "image/jpeg"
        add(mediaType: Array(type.description.utf8), rest: body.dropFirst(4), encoding: encoding)
    }

    private mutating func add(mediaType: [UInt8], rest: ArraySlice<UInt8>, encoding: UInt8) {
        guard let kind = rest.first else { return }
        let data = ID3Strings(encoding: encoding, rest.dropFirst()).skippingOne()
        pictures.append(Picture(mediaType: mediaType, kind: kind, data: Array(data)))
    }

    private mutating func priv(_ body: ArraySlice<UInt8>) {
        guard let end = body.firstIndex(of: 0), body[..<end].elementsEqual(Self.timestampOwner.utf8) else {
            return
        }
        let value = body[(end + 1)...]
        guard value.count == 8 else { return }
        timestamp = value.reduce(0) { $0 << 8 | UInt64($1) } & (1 << 33 - 1)
    }

    private static let timestampOwner = "com.apple.streaming.transportStreamTimestamp"
}
