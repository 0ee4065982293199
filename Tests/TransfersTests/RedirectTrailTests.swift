import Testing

@testable import Transfers

@Suite("Redirects")
struct RedirectTrailTests {
    private let a = "http://a.example/x"

    private func trail(_ origin: String, before: Int = 0) throws -> RedirectTrail {
        RedirectTrail(origin: try URLText(origin), before: before)
    }

    private func outcome(_ decision: RedirectTrail.Decision) -> TransferResult.Outcome? {
        if case .stop(let outcome, _) = decision { outcome } else { nil }
    }

    @Test("a target is resolved against the address that answered")
    func relative() throws {
        var trail = try trail("http://a.example:8000/live?x=1")
        let decision = trail.next(
            from: try URLText("http://a.example:8000/live?x=1"), location: "index.html?sid=1",
            setsCookie: false,
            hasSecrets: false)
        #expect(decision == .follow(try URLText("http://a.example:8000/index.html?sid=1")))
        #expect(trail.count == 1)
    }

    @Test("no target, or an empty one, is an error", arguments: [nil, ""] as [String?])
    func noTarget(location: String?) throws {
        var trail = try trail(a)
        let decision = trail.next(
            from: try URLText(a), location: location, setsCookie: false, hasSecrets: false)
        #expect(outcome(decision) == .redirectWithoutTarget)
    }

    @Test("ten are followed, the eleventh is not, and those before count")
    func bound() throws {
        var trail = try trail(a, before: 3)
        for number in 0..<7 {
            let decision = trail.next(
                from: try URLText(a), location: "/\(number)", setsCookie: false, hasSecrets: false)
            #expect(outcome(decision) == nil)
        }
        let last = trail.next(from: try URLText(a), location: "/last", setsCookie: false, hasSecrets: false)
        #expect(outcome(last) == .tooManyRedirects)
    }

    @Test("an address is asked twice only when it has set a cookie, and never three times")
    func circle() throws {
        var plain = try trail(a)
        #expect(
            outcome(plain.next(from: try URLText(a), location: a, setsCookie: false, hasSecrets: false))
                == .tooManyRedirects)
        var baked = try trail(a)
        #expect(
            baked.next(from: try URLText(a), location: a, setsCookie: true, hasSecrets: false)
                == .follow(try URLText(a)))
        #expect(
            outcome(baked.next(from: try URLText(a), location: a, setsCookie: true, hasSecrets: false))
                == .tooManyRedirects)
    }

    @Test("only web addresses are followed, and credentials never leave TLS")
    func blocked() throws {
        var trail = try trail("https://a.example/x")
        let from = try URLText("https://a.example/x")
        for location in ["file:///etc/passwd", "gopher://a.example/1", "http://\r\n/"] {
            #expect(
                outcome(trail.next(from: from, location: location, setsCookie: false, hasSecrets: false))
                    == .blockedRedirect)
        }
        let plain = "http://a.example/y"
        #expect(
            outcome(trail.next(from: from, location: plain, setsCookie: false, hasSecrets: true))
                == .blockedRedirect)
        #expect(
            trail.next(from: from, location: plain, setsCookie: false, hasSecrets: false)
                == .follow(try URLText(plain)))
    }

    @Test(
        "only the first origin is trusted with what was meant for it",
        arguments: [
            ("http://a.example/y", true), ("http://A.example:80/", true), ("https://a.example/x", false),
            ("http://a.example:81/x", false), ("http://b.example/x", false),
        ])
    func trust(address: String, expected: Bool) throws {
        #expect(try trail(a).isTrusted(try URLText(address)) == expected)
    }
}
