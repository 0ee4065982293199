internal import CPulse

/// Asks the sound server at what rate the sink runs, so that sound is resampled once, by us, and not again by it.
enum SinkProbe {
    /// Milliseconds that the answer may take.
    private static let patience: UInt64 = 400

    /// Samples a second, or nil where no answer came.
    static func rate(server: String?, device: String?) -> Int? {
        var rate: UInt32 = 0
        withUnsafeMutablePointer(to: &rate) { rate in
            _ = ask(server) { context in
                pa_context_get_sink_info_by_name(
                    context, device ?? "@DEFAULT_SINK@", sinkDescribed, UnsafeMutableRawPointer(rate))
            }
        }
        return (8000...384_000).contains(rate) ? Int(rate) : nil
    }

    /// Names and descriptions of the sinks; nil where no sound server answers.
    static func sinks(server: String?) -> [(name: String, description: String)]? {
        let list = SinkList()
        let isAnswered = ask(server) { context in
            pa_context_get_sink_info_list(context, sinkListed, Unmanaged.passUnretained(list).toOpaque())
        }
        return isAnswered ? list.sinks : nil
    }

    /// Connects, asks one question and waits for its answer.
    private static func ask(_ server: String?, _ question: (OpaquePointer) -> OpaquePointer?) -> Bool {
        guard let loop = pa_mainloop_new() else { return false }
        defer { pa_mainloop_free(loop) }
        guard let context = pa_context_new(pa_mainloop_get_api(loop), "aircheck") else { return false }
        defer {
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return false }
        let end = pa_rtclock_now() + patience * 1000
        guard wait(loop, until: end, { pa_context_get_state(context) == PA_CONTEXT_READY }),
            let operation = question(context)
        else { return false }
        let isAnswered = wait(loop, until: end) { pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
        return isAnswered
    }

    private static func wait(_ loop: OpaquePointer, until end: UInt64, _ isDone: () -> Bool) -> Bool {
        while !isDone() {
            let now = pa_rtclock_now()
            guard now < end, pa_mainloop_prepare(loop, Int32((end - now) / 1000) + 1) >= 0,
                pa_mainloop_poll(loop) >= 0,
                pa_mainloop_dispatch(loop) >= 0
            else { return false }
        }
        return true
    }
}

private nonisolated func sinkDescribed(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32,
    _ opaque: UnsafeMutableRawPointer?
) {
    guard let info, let rate = opaque?.assumingMemoryBound(to: UInt32.self) else { return }
    rate.pointee = info.pointee.sample_spec.rate
}

/// What the sound server tells, one sink at a time. Used on the thread that asks.
private final class SinkList {
    var sinks: [(name: String, description: String)] = []
    static let most = 64
}

private nonisolated func sinkListed(
    _ context: OpaquePointer?, _ info: UnsafePointer<pa_sink_info>?, _ end: Int32,
    _ opaque: UnsafeMutableRawPointer?
) {
    guard let info, let opaque else { return }
    let list = Unmanaged<SinkList>.fromOpaque(opaque).takeUnretainedValue()
    guard list.sinks.count < SinkList.most, let name = info.pointee.name else { return }
    let described = info.pointee.description.map { String(cString: $0) }
    list.sinks.append((String(cString: name), described ?? String(cString: name)))
}
