/// What a recording is asked for, and what happens to it.
extension PlayerState {
    /// Seconds into a chapter after which "previous" goes to its beginning and not to the one before.
    private static let restartAfter = 3.0
    /// A place so near a chapter's beginning is at it.
    private static let tolerance = 0.5

    mutating func hear(_ recording: PlayedRecording, from place: Double) -> [Action] {
        self.recording = recording
        return put(recording, at: place) + [.warm([])]
    }

    private mutating func put(_ recording: PlayedRecording, at place: Double) -> [Action] {
        self.place = Self.clamped(place, in: recording)
        enter(.joining)
        return [.put(recording, at: self.place, isHeld: false)]
    }

    private static func clamped(_ place: Double, in recording: PlayedRecording) -> Double {
        place.isFinite ? min(max(place, 0), max(recording.length, 0)) : 0
    }

    /// Play, with a recording on: from where it stands.
    mutating func goOn(_ recording: PlayedRecording) -> [Action] {
        switch phase {
        case .stopped, .failed: return put(recording, at: place)
        case .paused:
            enter(.live)
            return [.hold(false)]
        case .joining, .live, .stalled, .rejoining: return []
        }
    }

    mutating func pause() -> [Action] {
        guard recording != nil, [.joining, .live, .rejoining].contains(phase) else { return [] }
        enter(.paused)
        return [.hold(true)]
    }

    /// A stopped recording moves its place and stays silent.
    mutating func seek(to place: Double) -> [Action] {
        guard let recording else { return [] }
        self.place = Self.clamped(place, in: recording)
        switch phase {
        case .stopped, .failed: return []
        case .joining, .live, .stalled, .rejoining, .paused:
            return [.put(recording, at: self.place, isHeld: phase == .paused)]
        }
    }

    /// Walks the chapters. Behind the last one the recording is over.
    mutating func step(by direction: Int, in recording: PlayedRecording) -> [Action] {
        let starts = recording.chapters.map(\.seconds)
        guard direction > 0 else {
            return seek(to: starts.last { $0 < place - Self.restartAfter } ?? 0)
        }
        if let next = starts.first(where: { $0 > place + Self.tolerance }) { return seek(to: next) }
        return phase == .stopped ? [] : end(recording)
    }

    private mutating func end(_ recording: PlayedRecording) -> [Action] {
        self.recording = nil
        place = 0
        enter(.stopped)
        return [.heardOut(recording)]
    }

    mutating func event(_ event: Event, _ recording: PlayedRecording) -> [Action] {
        switch event {
        case .sounding:
            if phase == .joining || phase == .rejoining { enter(.live) }
        case .reached(let seconds): place = seconds
        case .ended: return end(recording)
        case .grown(let longer):
            if longer.id == recording.id { self.recording = longer }
        case .unavailable(let reason):
            guard phase != .failed else { return [] }
            enter(.failed, reason)
            return [.leave]
        case .helperLost:
            if phase == .live { enter(.rejoining, "the decoder died and is being restarted") }
        case .helperReady:
            guard phase != .failed else { return [] }
            return [.put(recording, at: place, isHeld: phase == .paused)]
        case .helperMissing(let reason): enter(.failed, reason)
        case .joinTimedOut: return phase == .joining ? [.silenceOld] : []
        case .slept: return stop()
        case .starved, .disconnected: break
        }
        return []
    }
}
