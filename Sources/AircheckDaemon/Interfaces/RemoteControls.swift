internal import MPDServer
internal import MPRIS

/// The doors through which programs of others drive the player.
struct RemoteControls: Sendable {
    private let mpd: MPDDoor?
    private let mpris: MPRISDoor?

    /// Opens what the settings want and the machine allows; whatever cannot be opened is said in the log.
    init(plan: ServicePlan, rooms: Rooms) {
        mpd = MPDOpening(plan: plan, rooms: rooms).open()
        mpris = MPRISAdapter(rooms: rooms).open()
    }

    /// Hangs up on everybody. Blocks for a moment.
    func close() {
        mpd?.close()
        mpris?.close()
    }
}
