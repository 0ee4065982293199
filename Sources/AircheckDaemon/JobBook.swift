internal import ControlAPI
internal import Glibc
internal import JSONText
internal import Platform

/// Long work on recordings that somebody has asked for: one at a time, with its progress, and its outcome for a while.
final class JobBook: Sendable {
    struct Job: Sendable {
        enum State: String, Sendable { case waiting, running, done, failed, cancelled }

        let id: String
        /// `verify`, `cut`, `export`, `measure`.
        let kind: String
        /// The recording that it is about; nil for a span of a station.
        let recording: String?
        var state = State.waiting
        /// 0 to 1.
        var progress = 0.0
        var result = JSONValue.null
        var failure: APIFailure?
        /// Somebody does not want it any more: it ends where it looks up from its work, and takes back what it has made.
        var isUnwanted = false

        var isOver: Bool { state != .waiting && state != .running }
    }

    /// Hears how far a job is, 0 to 1; throws once the service ends.
    typealias Progress = @Sendable (Double) throws(SystemError) -> Void

    private static let limit = 32
    /// Who waits for a job holds a thread of the API: so many may, others hear how it stands at once.
    private static let waitersLimit = 1
    /// So many that are over are remembered.
    private static let memory = 100
    /// Followers hear of progress in such steps.
    private static let step = 0.05

    private let events: EventHub
    private let jobs = Monitor<[Job]>([])
    private let thread = JobThread("jobs", limit: limit)
    private let waiters = Lock(0)

    init(events: EventHub) { self.events = events }

    /// Queues it. Never blocks.
    /// - Parameter work: is given what hears how far it is; what it returns is the job's result.
    /// - Throws: `tooMany`.
    func start(
        _ kind: String, recording: String?,
        _ work: @escaping @Sendable (@escaping Progress) throws -> JSONValue
    ) throws -> Job {
        let job = Job(id: Self.newID(), kind: kind, recording: recording)
        jobs.change { jobs in
            jobs.append(job)
            if jobs.count > Self.memory, let old = jobs.firstIndex(where: \.isOver) { jobs.remove(at: old) }
        }
        let isTaken = thread.add { [self] in run(job.id, work) }
        guard isTaken else {
            jobs.change { $0.removeAll { $0.id == job.id } }
            throw APIFailure(.tooMany, "\(Self.limit) jobs wait already", remedy: "Try again later.")
        }
        return job
    }

    /// Nil for one that nobody remembers.
    func job(_ id: String) -> Job? { jobs.change { $0.first { $0.id == id } } }

    /// All that are remembered, oldest first.
    var all: [Job] { jobs.change { $0 } }

    /// The job once it is over, or after so long as it stands; as it stands at once where somebody waits already.
    func wait(for id: String, seconds: Double) -> Job? {
        let mayWait = waiters.withLock { waiters in
            guard waiters < Self.waitersLimit else { return false }
            waiters += 1
            return true
        }
        guard mayWait else { return job(id) }
        defer { waiters.withLock { $0 -= 1 } }
        jobs.wait(atMost: seconds) { jobs in
            guard let job = jobs.first(where: { $0.id == id }), !job.isOver else { return true }
            return nil
        }
        return job(id)
    }

    /// Ends a job, or keeps it from beginning. Returns at once: one that runs ends within a moment, and as `done` where it had
    /// nothing left to do.
    /// - Returns: nil for one that nobody remembers.
    /// - Throws: `conflict` for one that is over.
    func cancel(_ id: String) throws -> Job? {
        let found = jobs.change { jobs -> (job: Job, wasOver: Bool, isNew: Bool)? in
            guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
            let (wasOver, isWaiting) = (jobs[index].isOver, jobs[index].state == .waiting)
            jobs[index].isUnwanted = true
            if isWaiting { jobs[index].state = .cancelled }
            return (jobs[index], wasOver, isWaiting)
        }
        if found?.wasOver == true { throw APIFailure(.conflict, "this job is over already") }
        if let found, found.isNew { events.publish("job", Self.json(found.job)) }
        return found?.job
    }

    /// Ends what waits as failed, and waits for the one that runs.
    func stop() { thread.stop() }

    private func run(
        _ id: String, _ work: @Sendable (@escaping Progress) throws -> JSONValue
    ) {
        if thread.isStopping {
            return change(id) { job in
                (job.state, job.failure) = (.failed, APIFailure(.unavailable, "the service was ended"))
            }
        }
        // Cancelled before its turn has come.
        guard begin(id) else { return }
        do {
            let result = try work { [self] part throws(SystemError) in try progress(id, part) }
            change(id) { ($0.state, $0.progress, $0.result) = (.done, 1, result) }
        } catch {
            let failure = error as? APIFailure ?? APIFailure(.unprocessable, "\(error)")
            change(id) { job in
                if job.isUnwanted {
                    job.state = .cancelled
                } else {
                    (job.state, job.failure) = (.failed, failure)
                }
            }
        }
    }

    private func begin(_ id: String) -> Bool {
        var isBegun = false
        change(id) { job in
            guard !job.isOver else { return }
            (job.state, isBegun) = (.running, true)
        }
        return isBegun
    }

    private func progress(_ id: String, _ part: Double) throws(SystemError) {
        if thread.isStopping { throw SystemError(code: ECANCELED, while: "working: the service ends") }
        guard let job = job(id) else { return }
        if job.isUnwanted { throw SystemError(code: ECANCELED, while: "working: the job was cancelled") }
        guard part >= job.progress + Self.step else { return }
        change(id) { $0.progress = part }
    }

    private func change(_ id: String, _ change: (inout Job) -> Void) {
        let changed = jobs.change { jobs -> Job? in
            guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
            change(&jobs[index])
            return jobs[index]
        }
        if let changed { events.publish("job", Self.json(changed)) }
    }

    private static func newID() -> String { "j" + String(UInt32.random(in: 0..<2_176_782_336), radix: 36) }

    static func json(_ job: Job) -> JSONValue {
        [
            "id": .string(job.id), "kind": .string(job.kind), "recording": JSONValue(job.recording),
            "state": .string(job.state.rawValue), "progress": .number((job.progress * 1000).rounded() / 1000),
            "result": job.result, "error": job.failure?.json["error"] ?? .null,
        ]
    }
}
