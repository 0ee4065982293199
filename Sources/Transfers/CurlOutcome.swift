internal import CCurl
internal import Glibc
import Platform

/// Says in our words what libcurl's codes mean for a station.
enum CurlOutcome {
    /// - Parameters:
    ///   - systemError: errno of the last connect, 0 where there is none.
    ///   - detail: libcurl's own sentence; used for TLS alone, where it tells one fault from another.
    static func explain(
        _ code: CURLcode, systemError: Int32, detail: String, url: URLText
    ) -> (TransferResult.Outcome, String) {
        let place = "\(url.host):\(url.port)"
        switch code {
        case CURLE_OK: return (.complete, "closed by \(place)")
        case CURLE_COULDNT_RESOLVE_HOST: return (.dns, "no address known for \(url.host)")
        case CURLE_COULDNT_RESOLVE_PROXY: return (.dns, "no address known for the proxy")
        case CURLE_COULDNT_CONNECT: return notConnected(systemError, place)
        case CURLE_OPERATION_TIMEDOUT: return (.connectTimeout, "no connection to \(place) in time")
        case CURLE_RECV_ERROR, CURLE_SEND_ERROR: return (.reset, "connection reset by \(place)")
        case CURLE_PARTIAL_FILE: return (.reset, "connection to \(place) closed in the middle")
        case CURLE_GOT_NOTHING: return (.notHTTP, "\(place) closed without an answer")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            return (.notHTTP, "\(place) does not speak HTTP")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CIPHER,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_USE_SSL_FAILED:
            return (.tls, "\(certificateFault(detail)) (\(place))")
        // libcurl's own limit for a line that does not end.
        case CURLE_OUT_OF_MEMORY:
            return (.headTooLarge, "the answer's head is too large (\(place))")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM: return (.reset, "HTTP/2 error from \(place)")
        default: return (.other, "\(String(cString: curl_easy_strerror(code))) (\(place))")
        }
    }

    private static func notConnected(_ error: Int32, _ place: String) -> (TransferResult.Outcome, String) {
        switch error {
        case ECONNREFUSED: (.refused, "connection refused by \(place)")
        case 0: (.unreachable, "no connection to \(place)")
        default: (.unreachable, "no connection to \(place): \(SystemError(code: error, while: "").reason)")
        }
    }

    /// OpenSSL's sentence, told apart for people.
    private static func certificateFault(_ detail: String) -> String {
        let words: [(mark: String, meaning: String)] = [
            ("certificate has expired", "the certificate has expired"),
            ("self-signed certificate", "the certificate is self-signed"),
            ("self signed certificate", "the certificate is self-signed"),
            ("unable to get local issuer", "the certificate's issuer is unknown, or the chain is incomplete"),
            ("no alternative certificate subject name", "the certificate is for another name"),
            ("does not match target host name", "the certificate is for another name"),
            ("unsupported protocol", "the server's TLS version is too old"),
            ("handshake failure", "no TLS cipher in common"),
            ("wrong version number", "the server does not speak TLS there"),
        ]
        let lowered = detail.lowercased()
        return words.first { contains(lowered, $0.mark) }?.meaning ?? "the TLS handshake failed"
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
