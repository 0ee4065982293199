/// The pages that begin an Ogg file of ours, taken apart, so that comments can be written over without moving a byte of
/// audio.
package struct OggHeaderPages: Sendable {
    private let serial: UInt32
    private var format: AudioFormat
    /// Bytes of all the pages.
    private let length: Int

    /// Nil where the bytes are not the pages that `OggPager` makes of their packets, to the last bit.
    /// - Parameters:
    ///   - bytes: of the file, up to the first audio.
    ///   - format: of the file; its `setup` is not looked at.
    package init?(_ bytes: [UInt8], format: AudioFormat) {
        guard let (serial, packets) = Self.packets(bytes), packets.count >= 2 else { return nil }
        self.serial = serial
        self.format = format
        self.format.setup = packets
        length = bytes.count
        guard pages == bytes else { return nil }
    }

    private var pages: [UInt8] {
        var pager = OggPager(serial: serial, format: format)
        return pager.headers()
    }

    private static func packets(_ bytes: [UInt8]) -> (serial: UInt32, packets: [[UInt8]])? {
        var (packets, packet): ([[UInt8]], [UInt8]) = ([], [])
        var serial: UInt32?
        var window = ByteWindow()
        window.append(bytes[...])
        while window.count > 0 {
            guard case .page(let page) = OggPage.read(window), page.serial == serial ?? page.serial else {
                return nil
            }
            serial = page.serial
            var place = page.body.lowerBound
            for lacing in page.lacing {
                let segment = Int(window[lacing])
                packet += window.slice(place..<place + segment)
                place += segment
                if segment < 255 {
                    packets.append(packet)
                    packet = []
                }
            }
            window.drop(page.length)
        }
        return packet.isEmpty ? serial.map { ($0, packets) } : nil
    }

    /// Whether there are comments whose names begin so.
    package func holds(namesBeginning start: String) -> Bool {
        OggComments.names(format).contains { $0.hasPrefix(start) }
    }

    /// The same pages with other comments in the place of those whose names begin so; the others stay.
    /// - Returns: nil where they do not fit, or the file has no comments that can be changed.
    package func replacing(
        namesBeginning start: String, with added: [(name: String, value: String)]
    ) -> [UInt8]? {
        guard let packet = OggComments.replaced(format, namesBeginning: start, with: added) else {
            return nil
        }
        var changed = self
        changed.format.setup[1] = packet
        let pages = changed.pages
        return pages.count == length ? pages : nil
    }
}
