/// Follows redirects by our own rules: each target is judged before anything is sent there. A plain value.
struct RedirectTrail {
    /// Where an answer leads.
    enum Decision: Hashable {
        case follow(URLText)
        case stop(TransferResult.Outcome, String)
    }

    /// Followed at most, all requests of one resolve together.
    static let limit = 10

    private let origin: URLText
    private(set) var count: Int
    private var visits: [String: Int]

    /// - Parameter before: redirects of earlier requests of the same resolve.
    init(origin: URLText, before: Int) {
        self.origin = origin
        count = before
        visits = [origin.text: 1]
    }

    /// True when what was meant for the first address may be sent to this one.
    func isTrusted(_ url: URLText) -> Bool { url.isSameOrigin(as: origin) }

    /// - Parameter setsCookie: the answer set a cookie, so that the same address may say something else next time.
    mutating func next(from url: URLText, location: String?, setsCookie: Bool, hasSecrets: Bool) -> Decision {
        guard let location, !location.isEmpty else {
            return .stop(.redirectWithoutTarget, "redirect without a target")
        }
        count += 1
        guard count <= Self.limit else { return .stop(.tooManyRedirects, "too many redirects") }
        let target: URLText
        do {
            target = try url.resolving(location)
        } catch .scheme(let scheme) {
            return .stop(.blockedRedirect, "redirect to a \(scheme) address")
        } catch {
            return .stop(.blockedRedirect, "redirect to something that is no address")
        }
        if hasSecrets, url.scheme == "https", target.scheme == "http" {
            return .stop(.blockedRedirect, "redirect from https to http with credentials")
        }
        let seen = visits[target.text, default: 0]
        guard seen == 0 || (seen == 1 && setsCookie) else {
            return .stop(.tooManyRedirects, "redirect in a circle")
        }
        visits[target.text] = seen + 1
        return .follow(target)
    }
}
