internal import MediaHelper
internal import Platform
internal import StreamFormats

/// Starting the helper and hearing what it says.
extension PlayerCore {
    func startHelper() {
        guard helper == nil else { return }
        let (output, showsErrors) = (output, options.showsErrors)
        helper = HelperProcess(
            launch: { () throws(MediaError) in
                HelperLaunch(
                    binary: try HelperBinary.find(), mode: .play, descriptors: output.descriptors,
                    showsErrors: showsErrors)
            },
            time: time,
            changed: { [mailbox] in mailbox.put(.helper($0)) },
            received: { [mailbox] in mailbox.put(.event($0)) })
    }

    private func endHelper() {
        helper?.end()
        helper = nil
        helperPID = 0
        isHelperReady = false
    }

    func helperChanged(_ change: HelperProcess.Change) {
        switch change {
        case .ready(let restarts):
            meters.restarts = restarts
            helperPID = helper?.counters.pid ?? 0
            isHelperReady = true
            introduce()
            perform(state.event(.helperReady))
        case .lost:
            isHelperReady = false
            helperPID = 0
            heard = 0
            status.heardStation = nil
            perform(state.event(.helperLost))
            notePlace()
        case .unavailable(let error):
            isHelperReady = false
            helperPID = 0
            Log.error("player", "no sound", ["reason": error.description])
            perform(state.event(.helperMissing(reason: error.description)))
        }
    }

    /// Tells a new helper where the sound goes and how loud.
    private func introduce() {
        tell(.open(setup))
        tell(.volume(linear(status.volume), ramp: 0))
        tell(.mute(status.isMuted))
    }

    private var setup: PlaySetup {
        PlaySetup(
            output: output.wire, sampleRate: options.sampleRate, latency: options.latency,
            measuresLoudness: options.levels)
    }

    /// The sound moves to another sink; what is at hand goes along.
    func set(device: String?) {
        guard case .pulse(let server, _) = output else { return }
        output = .pulse(server: server, device: device)
        tell(.open(setup))
    }

    func helperSaid(_ event: HelperEvent) {
        switch event {
        case .progress(let progress): progressed(progress)
        case .sounding(let id): sounds(id)
        case .starved(let id):
            if id == tuned?.id { perform(state.event(.starved)) }
        case .device(let device): status.device = device
        case .loudness(let id, let integrated, _): learn(integrated, of: id)
        case .failed(let id, let reason):
            if id == tuned?.id || id == deck?.id { perform(state.event(.unavailable(reason: reason))) }
        case .finished(let id):
            if id == deck?.id { perform(state.event(.ended)) }
        case .ready, .facts, .features, .sound, .analysis, .remuxed, .encoded, .done: break
        }
    }

    private func sounds(_ id: UInt32) {
        heard = id
        if id == deck?.id { return deckSounds() }
        guard let station = tuned?.station, id == tuned?.id else { return }
        forgetOld()
        joinDeadline = nil
        status.heardStation = station
        // Until the helper says where it stands the title would be that of the station before.
        status.title = tuned?.title()
        perform(state.event(.sounding))
    }

    private func progressed(_ progress: PlayProgress) {
        meters.levels = progress.levels
        meters.buffered = progress.buffered
        meters.underruns = Int(progress.underruns)
        meters.deviceUnderruns = Int(progress.deviceUnderruns)
        meters.drift = progress.drift
        shown.show(meters)
        guard progress.stream != 0 else { return }
        if progress.stream == deck?.id {
            moved(to: progress.position)
        } else if progress.stream == tuned?.id {
            status.title = tuned?.title(at: progress.position)
        } else if progress.stream == old?.id {
            status.title = old?.title(at: progress.position)
        }
    }

    private func learn(_ integrated: Double, of id: UInt32) {
        guard let tuned, tuned.id == id else { return }
        learned[tuned.station.id] = integrated
        options.loudnessLearned(tuned.station, integrated)
        tell(.gain(id: id, decibels: gain(of: tuned.station)))
    }

    // MARK: Timers

    func lookAtTimers() {
        if let deadline = joinDeadline, time.now >= deadline {
            joinDeadline = nil
            perform(state.event(.joinTimedOut))
        }
        if let deadline = idleDeadline, time.now >= deadline {
            idleDeadline = nil
            endHelper()
        }
        lookAtSleep()
    }
}

extension PlayerOutput {
    /// What the helper is handed.
    var descriptors: [Int32] {
        switch self {
        case .pulse, .null: []
        case .wav(let descriptor), .raw(let descriptor): [descriptor]
        }
    }

    var wire: PlaySetup.Output {
        switch self {
        case .pulse(let server, let device): .pulse(server: server, device: device)
        case .wav: .wav(descriptor: 0)
        case .raw: .raw(descriptor: 0)
        case .null: .null
        }
    }
}
