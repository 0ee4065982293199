internal import Platform
internal import StreamFormats

/// Reads an audio file of ours from front to back and says what is really in it.
struct FileScan {
    private static let blockLength = 256 << 10
    /// Pictures in front of FLAC may be large.
    private static let headLimit = 1 << 20

    /// Where a scan begins and how far it goes.
    struct Course {
        /// Asked once, where the audio begins: at which byte to begin instead. A frame must begin there; only frames that
        /// stand alone, without a container, can be entered in the middle.
        var begin: (_ audioOffset: Int64) -> Int64 = { $0 }
        /// Asked before each block, with the next byte and the size that the file had: whether to read on. Who follows a file
        /// that grows waits here at its end.
        var wants: (_ place: Int64, _ size: Int64) throws(SystemError) -> Bool = { place, size in place < size
        }
    }

    private(set) var ledger = FrameLedger()
    private(set) var format: AudioFormat?
    private(set) var head = FileHead.none
    /// Where the first frame begins.
    private(set) var audioOffset: Int64 = 0
    /// One past the last whole frame: what is behind it is half a frame, or what a power cut left.
    private(set) var end: Int64 = 0
    /// Bytes between frames that are none: damage.
    private(set) var strayBytes: Int64 = 0

    private(set) var container = Container.elementary
    /// Ogg's own bytes are no frames: there the pages say where the file ends well.
    private var pages: OggPages?
    private let seconds: Double
    private var reader = ElementaryReader()
    private var cursor: Int64 = 0
    private var pendingStray: Int64 = 0

    /// - Parameters:
    ///   - seconds: frames that begin later are not counted, and `end` is where the first of them begins. Not for Ogg.
    ///   - course: where to begin and how far to go; from front to back unless said otherwise.
    ///   - visit: is given every run of frames, in order, for those who want more than counts; throws to end it.
    init(
        _ file: any DiskFile, seconds: Double = .infinity,
        course: Course = Course(),
        visit: (FrameRun, AudioFormat) throws(SystemError) -> Void = { _, _ in }
    ) throws(SystemError) {
        self.seconds = seconds
        let size = try file.facts().size
        if let blocks = try M4ABlocks(file) {
            try scan(blocks, course, visit)
            return
        }
        try readHead(file)
        cursor = audioOffset
        end = audioOffset
        // Containers begin with what the reader must see; tags and our own Xing frame are none of its business.
        var place = container == .elementary ? course.begin(audioOffset) : 0
        while try course.wants(place, size) {
            let block = try file.read(Self.blockLength, at: place)
            if block.isEmpty { break }
            place += Int64(block.count)
            pages?.push(block)
            var found: [StreamElement] = []
            reader.push(block.span, into: &found)
            for element in found { try take(element, visit) }
        }
        var found: [StreamElement] = []
        reader.finish(into: &found)
        for element in found { try take(element, visit) }
        if let pages { (end, strayBytes) = (pages.end, pages.strayBytes) }
    }

    /// The frames of an M4A, as the ADTS that it was made of.
    private mutating func scan(
        _ blocks: M4ABlocks, _ course: Course,
        _ visit: (FrameRun, AudioFormat) throws(SystemError) -> Void
    ) throws(SystemError) {
        var blocks = blocks
        while try course.wants(0, 1), let block = try blocks.next() {
            var found: [StreamElement] = []
            reader.push(block.span, into: &found)
            for element in found { try take(element, visit) }
        }
        var found: [StreamElement] = []
        reader.finish(into: &found)
        for element in found { try take(element, visit) }
    }

    /// The tag and the Xing frame that we put in front.
    private mutating func readHead(_ file: any DiskFile) throws(SystemError) {
        let tagLength = ID3.length(ofTagAt: try file.read(ID3.headerLength, at: 0))
        let next = try file.read(Self.headLimit, at: Int64(tagLength))
        if let length = StreamInfo.headLength(of: next) {
            container = .nativeFLAC
            head.flacInfo = StreamInfo.offset(in: next)
            audioOffset = Int64(length)
            return
        }
        if next.starts(with: Array("OggS".utf8)) {
            container = .ogg
            pages = OggPages()
            return
        }
        let xing = XingFrame(at: next)
        head = FileHead(tagLength: tagLength, xing: xing)
        audioOffset = Int64(tagLength + (xing?.bytes.count ?? 0))
    }

    /// The frames that begin within the limit.
    private func wanted(_ run: FrameRun, _ format: AudioFormat) -> FrameRun {
        guard seconds < .infinity else { return run }
        let rate = Double(max(format.sampleRate, 1))
        var at = ledger.seconds
        let count = run.frames.firstIndex { frame in
            let isBeyond = at + Double(frame.samples) / rate / 2 >= seconds
            at += Double(frame.samples) / rate
            return isBeyond
        }
        return count.map { run.frames(0..<$0) } ?? run
    }

    private mutating func take(
        _ element: StreamElement, _ visit: (FrameRun, AudioFormat) throws(SystemError) -> Void
    ) throws(SystemError) {
        switch element {
        case .format(let new): format = new
        case .title: break
        case .junk(let count):
            cursor += Int64(count)
            pendingStray += Int64(count)
        case .frames(let run):
            guard let format else { return }
            // Only junk that frames follow is damage inside; at the end it is a torn tail.
            strayBytes += pendingStray
            pendingStray = 0
            let wanted = wanted(run, format)
            cursor += Int64(wanted.bytes.count)
            guard !wanted.frames.isEmpty else { return }
            end = cursor
            ledger.add(wanted, rate: format.sampleRate)
            try visit(wanted, format)
        }
    }
}
