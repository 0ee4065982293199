/// Tells any number of parts of the program what has happened, in the order in which they asked to be told.
///
/// Who is told stays until the program ends: this is for the few who follow for as long as the service runs.
package final class Announcer<News: Sendable>: Sendable {
    private let followers = Lock<[@Sendable (News) -> Void]>([])

    package init() {}

    /// Tells `follower` everything from now on, on the thread that tells it. Any thread.
    package func follow(_ follower: @escaping @Sendable (News) -> Void) {
        followers.withLock { $0.append(follower) }
    }

    /// Tells everybody, with no lock held. Any thread.
    package func tell(_ news: News) {
        for follower in followers.withLock({ $0 }) { follower(news) }
    }
}
