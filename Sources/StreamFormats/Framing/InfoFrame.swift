/// A frame of silence that carries facts about a file: `Xing`, `Info` (LAME) or `VBRI` (Fraunhofer).
///
/// In a stream it comes from a file that was played into it. Its counts are of that file, so it is left out wherever it
/// stands; a recorder writes one of its own.
enum InfoFrame {
    /// The Fraunhofer encoder puts its mark here whatever the channels are.
    private static let vbriOffset = 36

    static func isOne(_ header: FrameHeader, _ frame: ArraySlice<UInt8>) -> Bool {
        guard case .mpeg(let mpeg) = header, mpeg.layer == 3, frame.count > vbriOffset + 8 else {
            return false
        }
        return has("Xing", frame, mpeg.xingOffset) || has("Info", frame, mpeg.xingOffset)
            || (mpeg.hasCRC
                && (has("Xing", frame, mpeg.xingOffset + 2) || has("Info", frame, mpeg.xingOffset + 2)))
            || has("VBRI", frame, vbriOffset)
    }

    private static func has(_ mark: String, _ frame: ArraySlice<UInt8>, _ offset: Int) -> Bool {
        let start = frame.startIndex + offset
        // Cheap first: this runs for every frame.
        guard let first = mark.utf8.first, frame[start] == first else { return false }
        return frame[start...].starts(with: mark.utf8)
    }
}
