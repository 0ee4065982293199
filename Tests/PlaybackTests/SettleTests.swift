import Platform
import Playback
import StreamFormats
import TestSound
import Testing

@Suite("Orders")
struct SettleTests {
    @Test("once the player has settled it shows what it was asked for, whatever it shows besides")
    func settles() {
        let stations = (1...3).map { Station(id: "\($0)", name: "\($0)", urls: ["http://127.0.0.1/\($0)"]) }
        let player = LivePlayer(
            options: PlayerOptions(output: .null), source: Dial(tones: ToneDial([])))
        for round in 0..<300 {
            let station = stations[round % 3]
            player.setVolume(round % 100)
            player.tune(station, among: stations)
            player.settle(atMost: 10)
            #expect(player.status.station == station && player.status.volume == round % 100)
            player.next()
            player.settle(atMost: 10)
            #expect(player.status.station == stations[(round + 1) % 3])
        }
        player.close()
        // Nobody waits for one that is closed.
        let begun = SystemTime().now
        player.settle(atMost: 60)
        #expect(SystemTime().now.seconds(since: begun) < 30)
    }
}
