internal import Platform
internal import StreamFormats

/// One audio file while it grows: frames are added in memory and written together, once a tick.
struct GrowingFile: Sendable {
    let folder: any DiskFolder
    let file: any DiskFile
    /// The name it has now; `.part` at the end while it is not finished.
    let name: String
    /// The name it gets when finished.
    let finalName: String
    let audioOffset: Int64
    private(set) var form: FileForm
    /// What is in the file for certain: frames that were written whole.
    private(set) var ledger = FrameLedger()
    /// Size of the file with those frames.
    private(set) var size: Int64 = 0
    /// Frames added and not yet written, and their bytes in the form of the file.
    private var held: [HeldRun] = []
    private var pending: [UInt8]
    /// Bytes of `pending` that are already in the file; the disk took only some.
    private var pendingDone = 0

    init(folder: any DiskFolder, file: any DiskFile, name: String, finalName: String, form: FileForm) {
        self.folder = folder
        self.file = file
        self.name = name
        self.finalName = finalName
        pending = []
        self.form = form
        self.form.begin(into: &pending)
        audioOffset = Int64(pending.count)
    }

    var heldBytes: Int { pending.count - pendingDone }
    /// Where the next frame will begin.
    var nextByte: Int64 { size + Int64(pending.count) }
    var heldSeconds: Double {
        held.reduce(0) { $0 + Double($1.run.samples) / Double(max($1.format.sampleRate, 1)) }
    }

    mutating func add(_ run: FrameRun, _ format: AudioFormat) {
        held.append(HeldRun(run: run, format: format))
        form.encode(run, format, into: &pending)
    }

    /// Writes what is held. After a throw the rest is still held, and the next call goes on where this one stopped.
    mutating func flush() throws(SystemError) {
        if !held.isEmpty { form.flush(into: &pending) }
        while pendingDone < pending.count { pendingDone += try writeSome() }
        guard !pending.isEmpty else { return }
        size += Int64(pending.count)
        // Given back, not kept: hundreds of files take turns with the same few kilobytes.
        pending = []
        pendingDone = 0
        for held in held { ledger.add(held.run, rate: held.format.sampleRate) }
        held = []
    }

    private func writeSome() throws(SystemError) -> Int {
        let result = pending.withUnsafeBytes { bytes -> Result<Int, SystemError> in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[pendingDone...])
            do throws(SystemError) { return .success(try file.append(rest)) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Gives up the frames that are not written, for another file to take; this one ends with its last whole frame.
    mutating func release() -> [HeldRun] {
        defer { held = []; pending = []; pendingDone = 0 }
        return held
    }

    /// Writes what belongs behind the last frame.
    mutating func end() throws(SystemError) {
        form.end(into: &pending)
        try flush()
    }

    /// Cuts off half a frame that a full or broken disk has left at the end.
    func trim() throws(SystemError) {
        guard pendingDone > 0 || size > 0, try file.facts().size > size else { return }
        try file.truncate(to: size)
    }
}

/// Frames on their way into a file.
struct HeldRun: Sendable {
    var run: FrameRun
    var format: AudioFormat
}
