internal import CCurl

/// Cookies that are kept while a station is being resolved, in memory, and then thrown away with the jar.
///
/// Used on the engine's thread alone.
package final class CookieJar: @unchecked Sendable {
    // Sendable because libcurl touches the jar only inside transfers, which all run on one thread.
    let handle: UnsafeMutableRawPointer?

    package init() { handle = aircheck_curl_cookie_jar().map { UnsafeMutableRawPointer($0) } }

    deinit { if let handle { curl_share_cleanup(handle) } }
}
