internal import CLinux
internal import Catalogue
internal import Glibc
internal import Platform
internal import StreamFormats
internal import Transfers

/// The directory's client on the network: one transfer a question, through the engine that every request goes through.
final class DirectoryNetwork: DirectoryFetching {
    private let engine: TransferEngine
    /// Servers that the owner named may be on this machine or in the house.
    private let addresses: AddressPolicy

    /// Seconds for a question, and for the list of all stations.
    private static let patience = 20.0
    private static let longPatience = 900.0
    private static let service = "_api._tcp.radio-browser.info"
    private static let answerBytes: Int32 = 4096

    init(engine: TransferEngine, isLocal: Bool) {
        self.engine = engine
        addresses = isLocal ? .allowLocal : .publicOnly
    }

    func get(
        _ url: String, limit: Int, then: @escaping @Sendable (Result<[UInt8], DirectoryFailure>) -> Void
    ) {
        guard let request = request(url) else { return then(.failure(.unavailable("its address is none"))) }
        engine.run { [engine] in
            engine.fetch(request, limit: limit, seconds: Self.patience) { body in
                then(Self.failure(body.head?.status, body.result).map(Result.failure) ?? .success(body.bytes))
            }
        } onDrop: {
            then(.failure(.unavailable("the service ends")))
        }
    }

    func download(
        _ url: String, to path: String, limit: Int,
        then: @escaping @Sendable (Result<Void, DirectoryFailure>) -> Void
    ) {
        guard var request = request(url) else { return then(.failure(.unavailable("its address is none"))) }
        request.totalSeconds = Self.longPatience
        engine.run { [engine, request] in
            do {
                engine.start(request, delegate: try FileCollecting(path: path, limit: limit, done: then))
            } catch {
                then(.failure(.unavailable("cannot write \(path): \(error)")))
            }
        } onDrop: {
            then(.failure(.unavailable("the service ends")))
        }
    }

    /// On a thread of its own: the resolver blocks.
    func lookUpServers(then: @escaping @Sendable ([String]) -> Void) {
        _ = WorkerThread(name: "directory-dns") {
            var answer = [UInt8](repeating: 0, count: Int(Self.answerBytes))
            let length = aircheck_service_records(Self.service, &answer, Self.answerBytes)
            then(length > 0 ? ServiceRecords.hosts(in: Array(answer.prefix(Int(length)))) : [])
        }
    }

    func after(seconds: Double, _ body: @escaping @Sendable () -> Void) {
        engine.run { [engine] in engine.after(seconds, body) }
    }

    private func request(_ url: String) -> TransferRequest? {
        guard let url = try? URLText(url) else { return nil }
        var request = TransferRequest(url)
        request.addresses = addresses
        return request
    }

    /// Why an answer is none.
    fileprivate static func failure(_ status: Int?, _ result: TransferResult) -> DirectoryFailure? {
        guard result.outcome == .complete, let status else { return .unavailable(result.text) }
        switch status {
        case 200..<300: return nil
        case 400..<500: return .refused(status: status)
        default: return .unavailable("it answered \(status)")
        }
    }
}

/// Writes a body into a file. Engine's thread.
private final class FileCollecting: TransferDelegate {
    private let file: FileDescriptor
    private let limit: Int
    private let done: @Sendable (Result<Void, DirectoryFailure>) -> Void
    private var status: Int?
    private var written = 0

    init(path: String, limit: Int, done: @escaping @Sendable (Result<Void, DirectoryFailure>) -> Void)
        throws(SystemError)
    {
        let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw SystemError(while: "opening \(path)") }
        file = FileDescriptor(owning: number)
        self.limit = limit
        self.done = done
    }

    func transferResponded(_ transfer: Transfer, head: ResponseHead) { status = head.status }

    func transferReceived(_ transfer: Transfer, bytes: Span<UInt8>) {
        guard written + bytes.count <= limit else {
            return transfer.giveUp(.bodyTooLarge, "more than \(limit) bytes from \(transfer.url.host)")
        }
        written += bytes.count
        let isWritten = bytes.withUnsafeBufferPointer { buffer in
            var place = 0
            while place < buffer.count, let base = buffer.baseAddress {
                let count = write(file.number, base + place, buffer.count - place)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                place += count
            }
            return true
        }
        if !isWritten {
            transfer.giveUp(.bodyTooLarge, "the snapshot could not be written: the disk is full")
        }
    }

    func transferFinished(_ transfer: Transfer, result: TransferResult) {
        done(DirectoryNetwork.failure(status, result).map(Result.failure) ?? .success(()))
    }
}
