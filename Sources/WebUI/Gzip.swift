internal import CZlib

/// Squeezes a file of the page, once. Source: RFC 1952.
package enum Gzip {
    /// The bytes squeezed; nil where that makes them no smaller, or zlib has no memory.
    package static func squeezed(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard aircheck_gzip_begin(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        var output = [UInt8](repeating: 0, count: room)
        let isWhole = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(clamping: source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(clamping: target.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        let size = Int(stream.total_out)
        guard isWhole, size < bytes.count else { return nil }
        return Array(output[..<size])
    }
}
