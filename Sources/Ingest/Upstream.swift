import StreamFormats
import Transfers

/// What an upstream says of the server behind it, once its head has come.
struct UpstreamHead: Sendable {
    var head: ResponseHead
    /// Where it is read, after redirects.
    var url: URLText
    /// The server is on this machine or network, and so may be what it names.
    var peerIsLocal: Bool
    var redirects: Int
}

/// Something that brings a station's audio: one long answer, or segments fetched one by one. Lives on the engine's
/// thread.
protocol Upstream: AnyObject {
    /// Ends it; nothing more is said.
    func cancel()
    /// How soon audio is needed once the stream flows.
    func read(at pace: ReadingPace)
    /// What has come and waits to be read is read at once.
    func readNow()
    /// It is given up: the last whole frame, which waits for the next one to be sure of itself, comes out.
    func drain() -> [StreamElement]
}

/// Who is told what an upstream brings. Called on the engine's thread.
protocol UpstreamListener: AnyObject {
    /// A good head came.
    func upstream(_ id: Int, connected head: UpstreamHead)
    /// It is a list of addresses.
    func upstream(_ id: Int, isList entries: [URLText], from head: UpstreamHead)
    /// It is an HLS playlist, which another upstream is to read.
    func upstream(_ id: Int, isHLS body: [UInt8], from head: UpstreamHead)
    /// Another address of the same server is more likely to be the stream.
    func upstream(_ id: Int, suggests url: URLText, from head: UpstreamHead)
    /// Frames, formats, titles, junk.
    func upstream(_ id: Int, brought elements: [StreamElement], bytes: Int)
    /// It is fetched in segments, the longest of them so many seconds long.
    func upstream(_ id: Int, fetchesSegmentsOf target: Double)
    /// So many seconds are known to be missing before what comes next.
    func upstream(_ id: Int, missed seconds: Double)
    /// Nothing comes at present; it goes on trying.
    func upstream(_ id: Int, isStalled fault: Fault)
    /// It has ended; nothing more is said.
    func upstream(_ id: Int, ended fault: Fault)
}
