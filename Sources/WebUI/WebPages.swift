package import HTTPServer
internal import HTTPWire

/// Answers what a browser asks of the page: its files below `/player/`, and the one page for every address in it, so that
/// an address of a screen can be kept and sent.
package struct WebPages: Sendable {
    /// First segment of the page's paths.
    package static let segment = "player"

    private let files: WebFiles
    private let policy: String

    /// - Parameter listenPort: the port of the mounts where it is another than the page's; the page may play from there.
    package init(files: WebFiles, listenPort: Int?) {
        self.files = files
        policy = Self.policy(listenPort)
    }

    package var routes: [Route] {
        ["/\(Self.segment)", "/\(Self.segment)/{path...}"].map { pattern in
            Route("GET", pattern, role: .anyone, summary: "the page and its files", plan: .collect(limit: 0))
            {
                request, exchange in
                exchange.send(answer(request.parameters["path"], request.head))
            }
        }
    }

    private func answer(_ path: String?, _ head: RequestHead) -> HTTPResponse {
        guard let path else { return HTTPResponse(status: 308).adding("Location", "/\(Self.segment)/") }
        guard let file = files[path] ?? (Self.isScreen(path, head) ? files["index.html"] : nil) else {
            return files.isEmpty ? Self.absent : .notFound
        }
        return answer(file, head)
    }

    /// Whether an address without a file is one of a screen. A show may have a dot in its name, and so in its address; whoever
    /// opens one asks for a page, and whoever fetches a part of the page does not.
    private static func isScreen(_ path: String, _ head: RequestHead) -> Bool {
        !path.contains(".") || head.headers.tokens("accept").contains { $0.hasPrefix("text/html") }
    }

    private func answer(_ file: WebFiles.File, _ head: RequestHead) -> HTTPResponse {
        let takesGzip = head.headers.tokens("accept-encoding").contains { $0.hasPrefix("gzip") }
        let squeezed = takesGzip ? file.gzip : nil
        let tag = "\"\(file.tag)\(squeezed == nil ? "" : "z")\""
        let isKnown = head.headers["if-none-match"]?.contains(tag) ?? false
        var response =
            isKnown
            ? HTTPResponse(status: 304)
            : HTTPResponse(status: 200, type: file.type, body: squeezed ?? file.bytes)
        if squeezed != nil, !isKnown { response.add("Content-Encoding", "gzip") }
        response.add("ETag", tag)
        response.add("Vary", "Accept-Encoding")
        // Asked again each time: a page of one version never meets parts of another.
        response.add("Cache-Control", "no-cache")
        response.add("Content-Security-Policy", policy)
        response.add("Permissions-Policy", Self.permissions)
        response.add("Cross-Origin-Opener-Policy", "same-origin")
        return response
    }

    private static let absent = HTTPResponse.problem(
        404, code: "no_page", message: "The page's files are not there.",
        remedy: "Install share/aircheck/web beside the program, or set paths.web to the folder.")

    private static let permissions =
        "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()"

    /// Nothing from anywhere else, nothing inline, no text that becomes markup.
    private static func policy(_ listenPort: Int?) -> String {
        let media = listenPort.map { " http://*:\($0) https://*:\($0)" } ?? ""
        return """
            default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; \
            media-src 'self' blob:\(media); connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
            object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
            require-trusted-types-for 'script'; trusted-types aircheck
            """
    }
}
