internal import HTTPServer
internal import HTTPWire
internal import Platform
internal import StreamFormats

extension RelayService {
    /// `/hls/MOUNT/live.m3u8` and what it names.
    func hls(_ path: [String], _ file: HLSFile, _ exchange: HTTPExchange) {
        guard let (name, station) = station(at: path),
            let feed = desk.feed(of: station) ?? source.feed(of: station)
        else { return exchange.send(crossOrigin.opened(.notFound)) }
        hlsOutput(name, of: feed).answer(
            HLSOutput.Ask(file: file, exchange: exchange, crossOrigin: crossOrigin))
    }

    /// `/MOUNT.m3u8`: the playlist lives beside its segments.
    func hlsRedirect(_ path: [String], query: String = "") -> HTTPResponse {
        let place = path.map(PercentCoding.encode).joined(separator: "/")
        return crossOrigin.opened(HTTPResponse(status: 302))
            .adding("Location", "/hls/\(place)/live.m3u8" + (query.isEmpty ? "" : "?" + query))
    }

    /// `/MOUNT.m3u8?delay=5h`: what is late has segments of its own.
    func redirect(late station: Station, _ wish: PastWish?, _ exchange: HTTPExchange) {
        source.late(station, wish) { [self] answer in
            if case .feed(let late) = answer {
                exchange.send(hlsRedirect([late.station.id]))
            } else {
                refuse(answer, exchange)
            }
        }
    }
}
