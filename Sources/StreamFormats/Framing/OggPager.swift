/// Puts packets on Ogg pages of our own: granules from 0, sequence from 0, CRC anew (RFC 3533).
///
/// `headers()` first, then `append` for each packet; `flush` when nothing may wait any longer; `end` closes the chain,
/// after which `restart` begins the next one.
package struct OggPager: Sendable {
    package private(set) var serial: UInt32
    package private(set) var format: AudioFormat

    package init(serial: UInt32, format: AudioFormat) {
        self.serial = serial
        self.format = format
    }
}
