import Glibc

/// Whether the long runs were asked for.
enum LongRuns {
    static var areOn: Bool { getenv("AIRCHECK_TESTS").map { String(cString: $0) } == "all" }
}
