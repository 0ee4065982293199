/// Where the samples of one track lie, as a `moof` says it (ISO 14496-12 §8.8).
enum MP4Fragment {
    struct Sample: Sendable {
        /// Stream offset of its first byte.
        var offset: Int64
        var length: Int
    }

    /// More samples in a fragment are not believed, those of other tracks included: a run of billions takes 16 bytes.
    private static let mostSamples = 100_000

    /// The samples of `track`. `start` is the stream offset of the `moof` box itself, from which runs are counted.
    static func samples(of track: MP4Track, in moof: MP4Box, start: Int64) -> [Sample] {
        var samples: [Sample] = []
        var cursor = start
        var left = mostSamples
        for traf in moof.children where traf.has("traf") {
            guard let header = traf.child("tfhd")?.body else { continue }
            let flags = MP4Fields.number(header, 1, 3)
            let isOurs = MP4Fields.number(header, 4, 4) == track.identifier
            // A fragment that does not say where it starts goes on where the one before ended.
            if flags & 0x020001 != 0 { cursor = start }
            let size = defaultSize(header, flags) ?? track.defaultSize
            for run in traf.children where run.has("trun") {
                read(run.body, start: start, cursor: &cursor, size: size, left: &left) {
                    if isOurs { samples.append($0) }
                }
                guard left > 0 else { return samples }
            }
        }
        return samples
    }

    private static func defaultSize(_ header: ArraySlice<UInt8>, _ flags: Int) -> Int? {
        guard flags & 0x10 != 0 else { return nil }
        let before = [0x01: 8, 0x02: 4, 0x08: 4].reduce(0) { $0 + (flags & $1.key != 0 ? $1.value : 0) }
        return MP4Fields.number(header, 8 + before, 4)
    }

    private static func read(
        _ run: ArraySlice<UInt8>, start: Int64, cursor: inout Int64, size: Int, left: inout Int,
        _ found: (Sample) -> Void
    ) {
        let flags = MP4Fields.number(run, 1, 3)
        let count = MP4Fields.number(run, 4, 4)
        var place = 8
        if flags & 0x01 != 0 {
            cursor = start + Int64(Int32(truncatingIfNeeded: MP4Fields.number(run, place, 4)))
            place += 4
        }
        if flags & 0x04 != 0 { place += 4 }
        let stride = [0x100, 0x200, 0x400, 0x800].reduce(0) { $0 + (flags & $1 != 0 ? 4 : 0) }
        let sizeAt = flags & 0x100 != 0 ? 4 : 0
        for _ in 0..<min(count, left) {
            left -= 1
            guard stride == 0 || place + stride <= run.count else { return }
            let length = flags & 0x200 != 0 ? MP4Fields.number(run, place + sizeAt, 4) : size
            found(Sample(offset: cursor, length: length))
            cursor += Int64(length)
            place += stride
        }
    }
}
