package import StreamFormats

/// One GET, and how far it may go. Everything that leaves this machine is asked for with one of these.
package struct TransferRequest: Sendable {
    package var url: URLText
    /// Headers of this station alone. They are sent to the first address's origin and to no other.
    package var headers: [Station.Header] = []
    /// `Icy-MetaData: 1`: titles between the audio, please.
    package var wantsTitles = false
    /// Where the first address may lead; later ones are judged by who named them.
    package var addresses: AddressPolicy = .publicOnly
    /// Redirects that were already followed on the way here, so that one budget holds for a whole resolve.
    package var redirectsBefore = 0
    /// Cookies that are kept for as long as the jar lives; nil for those of this request alone.
    package var cookies: CookieJar?
    /// `bytes=100-199` for a part of a resource: first byte and number of bytes.
    package var range: Range<Int>?
    /// `http://proxy:3128`; nil for none. Proxies of the environment are never used.
    package var proxy: String?
    /// Faults of the certificate that are forgiven, of the first address's origin alone.
    package var forgivenFaults: [CertificateFault] = []
    /// What is sent with `PUT`, for as long as it lasts; nil for a GET. No redirect is followed with it, and the answer
    /// may come whenever it likes.
    package var upload: (any UploadBody)?
    /// Seconds from the request to the end of the response head.
    package var headSeconds = 20.0
    /// Seconds from the request to the end of the body; nil for a stream.
    package var totalSeconds: Double?

    package init(_ url: URLText) { self.url = url }
}

/// A body without an end that is known. Both functions are called on the engine's thread.
package protocol UploadBody: AnyObject, Sendable {
    /// The next bytes, at most `limit`. With none the upload rests until `Transfer.goOnSending`.
    func next(limit: Int) -> ArraySlice<UInt8>
}

/// How a transfer ended. It ends exactly once, unless it was cancelled: then nothing is said.
package struct TransferResult: Sendable, Hashable {
    /// What to do about it is decided by this.
    package enum Outcome: Sendable, Hashable {
        /// The server ended it in an orderly way.
        case complete
        /// It broke in the middle: reset, or closed inside a chunk.
        case reset
        /// Nobody listens there.
        case refused
        /// No route, no network.
        case unreachable
        /// No connection within the time for that.
        case connectTimeout
        /// Connected, and no response head in time; or no whole body.
        case answerTimeout
        /// The name is unknown, or no name server answered.
        case dns
        /// The certificate or the handshake; the text says which.
        case tls
        case tooManyRedirects
        /// A redirect to nowhere.
        case redirectWithoutTarget
        /// The address is not one that this request may go to.
        case blockedAddress
        /// A redirect to something else than http or https, or from https to http with credentials.
        case blockedRedirect
        /// More response head than is read.
        case headTooLarge
        /// More body than was asked for.
        case bodyTooLarge
        /// The body is compressed, which nobody asked for.
        case encodedBody
        /// What came was neither HTTP nor ICY.
        case notHTTP
        case other
    }

    package var outcome: Outcome
    /// For people: `connection refused by radio.example:8000`. Holds no bytes of any body.
    package var text: String
    /// libcurl's code, for the log.
    package var curlCode: Int32
    /// The address that was read last, after redirects.
    package var url: URLText
    /// Redirects followed on the way, with those before.
    package var redirects: Int
    /// The last server was on this machine or network, so what it names may be there too.
    package var peerIsLocal: Bool
    /// Bytes of body that came.
    package var bodyBytes: Int64
}

/// Who is told what comes. All functions are called on the engine's thread and must return soon.
package protocol TransferDelegate: AnyObject {
    /// The final response head, after redirects and interim answers; without a status line (`status` 0) where the
    /// server sent none.
    func transferResponded(_ transfer: Transfer, head: ResponseHead)
    /// Bytes of body, de-chunked. They are gone when the call returns: copy what is kept, once.
    func transferReceived(_ transfer: Transfer, bytes: Span<UInt8>)
    /// Nothing more is called after this.
    func transferFinished(_ transfer: Transfer, result: TransferResult)
}
