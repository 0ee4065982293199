package import Feed
internal import HTTPServer
internal import HTTPWire
package import StreamFormats

/// A station some time late, and the feed that carries it.
package struct LateFeed: Sendable {
    /// Its id is the mount's name.
    package var station: Station
    package var feed: Feed

    package init(station: Station, feed: Feed) {
        self.station = station
        self.feed = feed
    }
}

extension MountSource {
    package func isLate(_ station: Station) -> Bool { false }

    package func late(
        _ station: Station, _ wish: PastWish?, _ done: @escaping @Sendable (LateAnswer) -> Void
    ) {
        done(.nothing("This relay keeps no past."))
    }
}

extension RelayService {
    /// What a request's query wishes of the past; answers the ones that cannot be read.
    /// - Returns: nil when it has been answered.
    func pastWish(_ request: HTTPRequest, _ exchange: HTTPExchange) -> PastWish?? {
        do throws(PastWish.Refusal) {
            return .some(try PastWish.read(request.head.query, now: time.wall))
        } catch {
            exchange.send(crossOrigin.opened(.text(error.text + "\n", status: 400)))
            return nil
        }
    }

    /// Lets a client listen to a station's past: 404 with the reason where nothing of it is held.
    func listen(late station: Station, _ wish: PastWish?, _ request: HTTPRequest, _ exchange: HTTPExchange) {
        source.late(station, wish) { [self] answer in
            if case .feed(let late) = answer {
                join(mount(named: late.station.id, late.feed, fallback: { nil }), request, exchange)
            } else {
                refuse(answer, exchange)
            }
        }
    }

    /// Says why nothing of the past can be heard.
    func refuse(_ answer: LateAnswer, _ exchange: HTTPExchange) {
        switch answer {
        case .feed: break
        case .nothing(let reason): exchange.send(crossOrigin.opened(.text(reason + "\n", status: 404)))
        case .busy(let reason):
            exchange.send(
                crossOrigin.opened(.text(reason + "\n", status: 503)).adding("Retry-After", "60"))
        }
    }
}
