internal import StreamFormats

/// How frames become the bytes of a file: as they are, or packed into pages of our own.
struct FileForm: Sendable {
    private(set) var format: AudioFormat
    private(set) var head: FileHead
    private var pager: OggPager?
    /// The header of the first link of an Ogg file, with room in it for chapters; nil once there is a second one.
    private var comments: OggComments?
    private let firstSerial = Self.newSerial()

    /// - Parameters:
    ///   - commentRoom: bytes kept in the comment header of Vorbis and Opus for chapters.
    ///   - picture: goes into that header, where the station's has none.
    init(
        format: AudioFormat, head: FileHead = .none, commentRoom: Int = 0, picture: TagFields.Picture? = nil
    ) {
        self.format = format
        self.head = head
        comments = OggComments(format, room: commentRoom, added: Self.comments(picture))
    }

    private static func comments(_ picture: TagFields.Picture?) -> [(name: String, value: String)] {
        picture?.oggValue.map { [(TagFields.Picture.oggName, $0)] } ?? []
    }

    /// What stands at the front of the file once its chapters are known, as long as what stands there now.
    /// - Parameter picture: goes in too where there is room for it behind the chapters.
    /// - Returns: nil where the file has no place for them: it is a chain, whose links have their titles, or not in Ogg.
    func headers(with chapters: [TagFields.Chapter], picture: TagFields.Picture? = nil) -> [UInt8]? {
        let cover = comments?.hasPicture == false ? Self.comments(picture) : []
        guard let comments, !chapters.isEmpty || !cover.isEmpty else { return nil }
        if !cover.isEmpty, let setup = comments.packets(adding: OggChapters.comments(chapters) + cover) {
            return firstPager(setup).headers
        }
        var fitting = chapters.count
        while fitting > 0 {
            if let setup = comments.packets(adding: OggChapters.comments(chapters.prefix(fitting))) {
                return firstPager(setup).headers
            }
            fitting -= max(1, fitting / 8)
        }
        return nil
    }

    private func firstPager(_ setup: [[UInt8]]) -> (pager: OggPager, headers: [UInt8]) {
        var padded = format
        padded.setup = setup
        var pager = OggPager(serial: firstSerial, format: padded)
        let headers = pager.headers()
        return (pager, headers)
    }

    /// Appends what stands in front of the first frame, and keeps no copy: it is as long as half a minute of sound.
    mutating func begin(into bytes: inout [UInt8]) {
        bytes += head.bytes
        head.bytes = []
        guard format.container == .ogg else { return }
        let (pager, headers) = firstPager(comments?.padded ?? format.setup)
        bytes += headers
        self.pager = pager
    }

    /// Appends what `run` becomes. In Ogg another format begins another link of the chain.
    mutating func encode(_ run: FrameRun, _ next: AudioFormat, into bytes: inout [UInt8]) {
        guard pager != nil else {
            bytes += run.bytes
            return
        }
        if next != format { restart(next, into: &bytes) }
        var start = 0
        for frame in run.frames {
            let end = min(start + Int(max(0, frame.length)), run.bytes.count)
            bytes += pager?.append(run.bytes[start..<end], samples: Int(frame.samples)) ?? []
            start = end
        }
    }

    private mutating func restart(_ next: AudioFormat, into bytes: inout [UInt8]) {
        comments = nil
        bytes += pager?.end() ?? []
        pager?.restart(serial: Self.newSerial(), format: next)
        bytes += pager?.headers() ?? []
        format = next
    }

    /// Appends what may not wait any longer: a page that is not full yet.
    mutating func flush(into bytes: inout [UInt8]) { bytes += pager?.flush() ?? [] }

    /// Appends what must stand after the last frame.
    mutating func end(into bytes: inout [UInt8]) { bytes += pager?.end() ?? [] }

    /// Serial numbers only have to differ from link to link.
    private static func newSerial() -> UInt32 { UInt32.random(in: 1...UInt32.max) }

    /// True where frames of `next` may follow in the same file.
    /// - Parameter strictly: a change of the sample rate also ends the file; players that mind are many.
    func continues(with next: AudioFormat, strictly: Bool) -> Bool {
        guard next.container == format.container, family(next.codec) == family(format.codec) else {
            return false
        }
        return switch format.container {
        case .elementary: !strictly || next.sampleRate == format.sampleRate
        // A chain may change whatever it likes from link to link.
        case .ogg: true
        case .nativeFLAC: next == format
        }
    }

    /// HE-AAC is AAC with more in it, and is often only recognised after some frames.
    private func family(_ codec: Codec) -> Codec {
        switch codec {
        case .heAAC, .heAACv2: .aac
        default: codec
        }
    }
}
