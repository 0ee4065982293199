internal import CPulse

/// Asks the sound server at what rate the sink runs, so that sound is resampled once, by us, and not again by it.
enum SinkProbe {
    /// Milliseconds that the answer may take.
    private static let patience: UInt64 = 400

    /// Samples a second, or nil where no answer came.
    static func rate(server: String?, device: String?) -> Int? {
        guard let loop = pa_mainloop_new() else { return nil }
        defer { pa_mainloop_free(loop) }
        guard let context = pa_context_new(pa_mainloop_get_api(loop), "aircheck") else { return nil }
        defer {
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        guard pa_context_connect(context, server, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0 else { return nil }
        let end = pa_rtclock_now() + patience * 1000
        guard wait(loop, until: end, { pa_context_get_state(context) == PA_CONTEXT_READY }) else {
            return nil
        }
        var rate: UInt32 = 0
        withUnsafeMutablePointer(to: &rate) { rate in
            guard
                let operation = pa_context_get_sink_info_by_name(
                    context, device ?? "@DEFAULT_SINK@", sinkDescribed, UnsafeMutableRawPointer(rate))
            else { return }
            _ = wait(loop, until: end) { pa_operation_get_state(operation) != PA_OPERATION_RUNNING }
            pa_operation_cancel(operation)
            pa_operation_unref(operation)
        }
        return (8000...384_000).contains(rate) ? Int(rate) : nil
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
