package import Feed
internal import Foundation
internal import Platform
package import StreamFormats

/// A station that sends a coded sound round and round in real time into a feed, as ingest would.
package final class ToneStation: Sendable {
    package let feed: Feed
    package let station: Station
    private let isOn = Lock(true)
    private let isStalled = Lock(false)
    private let thread: Lock<WorkerThread?>

    /// - Parameter burst: seconds that are there at once, as an Icecast sends them.
    package init(_ name: String, sending tone: Tone, burst: Double = 3) {
        station = Station(id: name, name: name, urls: ["http://127.0.0.1/\(name)"])
        feed = Feed(station: station)
        thread = Lock(nil)
        feed.publish(format: tone.format)
        feed.updateStatus { $0.state = .live }
        let started = WorkerThread(name: "tone") { [feed, isOn, isStalled] in
            var sent = 0.0
            let start = SystemTime().now
            var next = 0
            while isOn.withLock({ $0 }) {
                let due = SystemTime().now.seconds(since: start) + burst
                while sent < due {
                    let run = tone.frames[next % tone.frames.count]
                    next += 1
                    sent += Double(run.samples) / Double(tone.format.sampleRate)
                    if !isStalled.withLock({ $0 }) { feed.publish(frames: run) }
                }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
        thread.withLock { $0 = started }
    }

    deinit { stop() }

    /// What is sent while it is stalled is lost.
    package func stall(_ stalled: Bool) { isStalled.withLock { $0 = stalled } }

    package func stop() {
        isOn.withLock { $0 = false }
        thread.withLock { $0 }?.join()
    }
}

/// Stations by their id.
package struct ToneDial: Sendable {
    package let stations: [ToneStation]

    package init(_ stations: [ToneStation]) { self.stations = stations }

    package var list: [Station] { stations.map(\.station) }

    package func feed(of station: Station) -> Feed? { stations.first { $0.station.id == station.id }?.feed }
}
