internal import CAVCodec
internal import Glibc

/// Lets libavformat read or write an open descriptor, and nothing else: it opens no files of its own.
final class FileStream {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private let descriptor: Int32

    private static let bufferBytes = 64 << 10

    init(descriptor: Int32, forWriting: Bool = false) throws(DecodingError) {
        self.descriptor = descriptor
        guard let buffer = av_malloc(Self.bufferBytes) else { throw DecodingError(description: "no memory") }
        context = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferBytes), forWriting ? 1 : 0,
            Unmanaged.passUnretained(self).toOpaque(), bytesWanted, bytesWritten, placeSought)
        guard context != nil else {
            av_free(buffer)
            throw DecodingError(description: "no memory")
        }
        lseek(descriptor, 0, Int32(SEEK_SET))
    }

    deinit {
        if let context { av_free(context.pointee.buffer) }
        avio_context_free(&context)
    }

    fileprivate func read(_ memory: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
        let got = Glibc.read(descriptor, memory, Int(count))
        return got > 0 ? Int32(got) : got == 0 ? aircheck_av_end : aircheck_av_io
    }

    fileprivate func write(_ memory: UnsafePointer<UInt8>, _ count: Int32) -> Int32 {
        var done = 0
        while done < Int(count) {
            let wrote = Glibc.write(descriptor, memory + done, Int(count) - done)
            guard wrote > 0 || errno == EINTR else { return aircheck_av_io }
            done += max(wrote, 0)
        }
        return count
    }

    fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        if whence & AVSEEK_SIZE != 0 {
            var facts = stat()
            return fstat(descriptor, &facts) == 0 ? Int64(facts.st_size) : Int64(aircheck_av_io)
        }
        let place = lseek(descriptor, Int(offset), whence & ~Int32(AVSEEK_FORCE))
        return place >= 0 ? Int64(place) : Int64(aircheck_av_io)
    }
}

// Unretained: the context goes with its stream.
private nonisolated func stream(_ opaque: UnsafeMutableRawPointer?) -> FileStream? {
    opaque.map { Unmanaged<FileStream>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func bytesWanted(
    _ opaque: UnsafeMutableRawPointer?, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let stream = stream(opaque), let memory else { return aircheck_av_io }
    return stream.read(memory, count)
}

private nonisolated func bytesWritten(
    _ opaque: UnsafeMutableRawPointer?, _ memory: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
    guard let stream = stream(opaque), let memory else { return aircheck_av_io }
    return stream.write(memory, count)
}

private nonisolated func placeSought(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32)
    -> Int64
{
    stream(opaque)?.seek(offset, whence) ?? Int64(aircheck_av_io)
}
