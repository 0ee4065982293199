/// Takes MPEG-TS apart: the audio of the first program goes to a frame scanner, timed ID3 becomes titles.
///
/// A packet that is missing tears a hole into the audio; the scanner finds the next frame as it does behind any junk.
struct TransportReader: Sendable {
    enum Outcome {
        case needsMore
        /// No packet at the front of the window.
        case lost
    }

    /// A tag in a PES packet that is longer is left out.
    private static let longestTag = 1 << 20

    private var program = TransportProgram()
    private var audio = PESAssembler()
    private var metadata = PESAssembler()
    private var tag: [UInt8] = []
    private var lastAudio: [UInt8] = []
    private var sound = ByteWindow()
    private var scanner = FrameScanner(isInner: true)

    /// 90 kHz: the time stamp of the audio read last.
    var timestamp: UInt64? { audio.timestamp }
    var foreignName: String? { program.foreignName }
    /// Where a title that comes now belongs, in the bytes of the audio.
    var place: Int64 { sound.endOffset }

    mutating func read(_ window: inout ByteWindow, atEnd: Bool, _ outlet: inout FrameOutlet) -> Outcome {
        var outcome = Outcome.needsMore
        while window.count > 0 {
            guard window[0] == 0x47 else {
                outcome = .lost
                break
            }
            guard window.count >= TransportPacket.length else { break }
            take(window.slice(0..<TransportPacket.length), &outlet)
            window.drop(TransportPacket.length)
        }
        if atEnd { finishTag(&outlet) }
        _ = scanner.scan(&sound, atEnd: atEnd || outcome == .lost, &outlet)
        sound.compact()
        return outcome
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>, _ outlet: inout FrameOutlet) {
        guard let packet = TransportPacket(bytes), !program.take(packet) else { return }
        if packet.identifier == program.audio {
            // A packet may be sent twice; the second is the same to the byte.
            guard !bytes.elementsEqual(lastAudio) else { return }
            lastAudio.removeAll(keepingCapacity: true)
            lastAudio.append(contentsOf: bytes)
            sound.append(audio.take(packet.payload, isStart: packet.isStart))
        } else if packet.identifier == program.metadata {
            takeTag(packet, &outlet)
        }
    }

    private mutating func takeTag(_ packet: TransportPacket, _ outlet: inout FrameOutlet) {
        if packet.isStart { finishTag(&outlet) }
        tag += metadata.take(packet.payload, isStart: packet.isStart)
        if let length = metadata.announced, tag.count >= length, length > 0 { finishTag(&outlet) }
        if tag.count > Self.longestTag { tag.removeAll() }
    }

    private mutating func finishTag(_ outlet: inout FrameOutlet) {
        defer { tag.removeAll(keepingCapacity: true) }
        if let title = ID3Tag(tag[...])?.rawTitle(block: tag[...]) {
            outlet.push(title: title, at: sound.endOffset)
        }
    }
}
