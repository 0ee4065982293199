internal import CPulse
internal import MediaHelper
internal import Platform

/// One connection to a sound server and one stream on it. When it breaks it is made anew; see `PlayMode`.
///
/// libpulse runs its own thread and calls us there with its lock held; the functions here take that lock.
final class PulseOutput: @unchecked Sendable {
    // Sendable because every stored property is only touched with libpulse's main loop lock held, or never changes.
    enum State: Equatable {
        case connecting
        case open(name: String)
        case lost(reason: String)
    }

    private let loop: OpaquePointer
    private var context: OpaquePointer?
    private var stream: OpaquePointer?
    private let device: String?
    private let latency: Int
    private let engine: PlayEngine
    private var state = State.connecting
    private var isCorked = false
    private var underflows: UInt32 = 0
    /// Samples per channel asked for since the stream was opened: shows whether the server still wants sound.
    private var delivered = 0

    /// Starts to connect. Nil if there is no memory or no thread for it.
    init?(server: String?, device: String?, latency: Int, engine: PlayEngine) {
        guard let loop = pa_threaded_mainloop_new() else { return nil }
        self.loop = loop
        self.device = device
        self.latency = latency
        self.engine = engine
        context = pa_context_new(pa_threaded_mainloop_get_api(loop), "aircheck")
        guard let context, pa_threaded_mainloop_start(loop) == 0 else {
            pa_threaded_mainloop_free(loop)
            return nil
        }
        locked {
            pa_context_set_state_callback(context, contextChanged, opaque)
            if pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 { fail() }
        }
    }

    /// Must be called before it is let go of: libpulse's thread ends here.
    func close() {
        locked { letGo() }
        pa_threaded_mainloop_stop(loop)
        pa_threaded_mainloop_free(loop)
    }

    private func letGo() {
        if let stream {
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_write_callback(stream, nil, nil)
            pa_stream_set_underflow_callback(stream, nil, nil)
            pa_stream_set_moved_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        if let context {
            pa_context_set_state_callback(context, nil, nil)
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        (stream, context) = (nil, nil)
    }

    // MARK: What the driver asks

    var present: (state: State, delivered: Int, underflows: UInt32) {
        locked { (state, delivered, underflows) }
    }

    /// Seconds between a sample being rendered and being heard.
    var delay: Double {
        locked {
            guard let stream else { return 0 }
            var (microseconds, isNegative) = (pa_usec_t(0), Int32(0))
            guard pa_stream_get_latency(stream, &microseconds, &isNegative) == 0, isNegative == 0 else {
                return 0
            }
            return Double(microseconds) / 1e6
        }
    }

    /// Lets the server sleep while there is nothing to hear.
    func cork(_ isWanted: Bool) {
        locked {
            guard let stream, isCorked != isWanted, case .open = state else { return }
            isCorked = isWanted
            drop(pa_stream_cork(stream, isWanted ? 1 : 0, nil, nil))
        }
    }

    /// Lets what is ready sound now and not behind the silence that the server holds.
    func beginAtOnce() {
        locked {
            guard let stream, case .open = state, engine.isAboutToBegin,
                let buffer = pa_stream_get_buffer_attr(stream)
            else { return }
            write(Int(buffer.pointee.tlength), stream, PA_SEEK_RELATIVE_ON_READ)
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        pa_threaded_mainloop_lock(loop)
        defer { pa_threaded_mainloop_unlock(loop) }
        return body()
    }

    private var opaque: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private func drop(_ operation: OpaquePointer?) {
        if let operation { pa_operation_unref(operation) }
    }

    private func fail(_ reason: String? = nil) {
        let said = context.flatMap { pa_strerror(pa_context_errno($0)) }.map { String(cString: $0) }
        state = .lost(reason: reason ?? "sound server: \(said ?? "no memory")")
    }

    // MARK: Called by libpulse, in this order

    /// First: the connection comes and goes.
    fileprivate func contextIs(_ context: OpaquePointer) {
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY: openStream()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED: fail()
        default: break
        }
    }

    private func openStream() {
        guard let context else { return }
        var spec = pa_sample_spec(format: soundFormat, rate: UInt32(engine.rate), channels: 2)
        stream = pa_stream_new(context, "live radio", &spec, nil)
        guard let stream else { return fail() }
        pa_stream_set_state_callback(stream, streamChanged, opaque)
        pa_stream_set_write_callback(stream, soundWanted, opaque)
        pa_stream_set_underflow_callback(stream, underflowed, opaque)
        pa_stream_set_moved_callback(stream, streamMoved, opaque)
        let bytes = UInt32(pa_usec_to_bytes(pa_usec_t(latency) * 1000, &spec))
        var buffer = pa_buffer_attr(
            maxlength: .max, tlength: bytes, prebuf: .max, minreq: .max, fragsize: .max)
        let flags =
            PA_STREAM_INTERPOLATE_TIMING.rawValue | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
            | PA_STREAM_ADJUST_LATENCY.rawValue
        if pa_stream_connect_playback(stream, device, &buffer, pa_stream_flags_t(flags), nil, nil) < 0 {
            fail()
        }
    }

    /// Next: the stream is there, or has been taken away with its sink.
    fileprivate func streamIs(_ stream: OpaquePointer) {
        switch pa_stream_get_state(stream) {
        case PA_STREAM_READY: named(stream)
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: fail()
        default: break
        }
    }

    /// Also after the user has moved the stream to another device.
    fileprivate func named(_ stream: OpaquePointer) {
        let name = pa_stream_get_device_name(stream).map { String(cString: $0) }
        state = .open(name: name ?? device ?? "default")
    }

    /// Again and again: the server has room for so many bytes.
    fileprivate func wants(_ bytes: Int, _ stream: OpaquePointer) { write(bytes, stream, PA_SEEK_RELATIVE) }

    /// Renders so many bytes; the first of them goes where `place` says, the others behind it.
    private func write(_ bytes: Int, _ stream: OpaquePointer, _ place: pa_seek_mode_t) {
        var (left, place) = (bytes, place)
        while left > 0 {
            var (memory, room) = (UnsafeMutableRawPointer?.none, left)
            guard pa_stream_begin_write(stream, &memory, &room) == 0, let memory, room >= 8 else {
                return fail()
            }
            let usable = min(room, left) / 8 * 8
            guard usable > 0 else {
                pa_stream_cancel_write(stream)
                return
            }
            let floats = memory.bindMemory(to: Float.self, capacity: usable / 4)
            engine.render(into: UnsafeMutableBufferPointer(start: floats, count: usable / 4))
            guard pa_stream_write(stream, memory, usable, nil, 0, place) == 0 else {
                return fail()
            }
            place = PA_SEEK_RELATIVE
            delivered += usable / 8
            left -= usable
        }
    }

    fileprivate func underflowedNow() { underflows &+= 1 }
}

/// Float in the machine's own byte order.
private let soundFormat = 1.littleEndian == 1 ? PA_SAMPLE_FLOAT32LE : PA_SAMPLE_FLOAT32BE

// Unretained: `PulseOutput.close` takes the callbacks back before the object goes.
private nonisolated func output(_ opaque: UnsafeMutableRawPointer?) -> PulseOutput? {
    opaque.map { Unmanaged<PulseOutput>.fromOpaque($0).takeUnretainedValue() }
}

private nonisolated func contextChanged(_ context: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    if let context { output(opaque)?.contextIs(context) }
}

private nonisolated func streamChanged(_ stream: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    if let stream { output(opaque)?.streamIs(stream) }
}

private nonisolated func streamMoved(_ stream: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    if let stream { output(opaque)?.named(stream) }
}

private nonisolated func soundWanted(
    _ stream: OpaquePointer?, _ bytes: Int, _ opaque: UnsafeMutableRawPointer?
) {
    if let stream { output(opaque)?.wants(bytes, stream) }
}

private nonisolated func underflowed(_ stream: OpaquePointer?, _ opaque: UnsafeMutableRawPointer?) {
    output(opaque)?.underflowedNow()
}
