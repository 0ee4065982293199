import Foundation
import Platform
import StreamFormats
import TestPrograms
import Testing
import Transfers

/// Certificates made by openssl, each with one fault, and a server for each.
private struct Certificates {
    /// A chain as a server would send it.
    struct Chain {
        var certificate: String
        var key: String
        /// Certificates between it and the authority, where the server sends them.
        var between: String?
    }

    let folder: TemporaryFolder
    var authority: String { folder.path("ca.pem") }

    init(in folder: TemporaryFolder) throws {
        self.folder = folder
        try openssl(
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-days",
            "30",
            "-subj", "/CN=Test Authority")
        _ = try folder.write("leaf.ext", "subjectAltName=IP:127.0.0.1\n")
        _ = try folder.write("other.ext", "subjectAltName=DNS:elsewhere.example\n")
        _ = try folder.write("middle.ext", "basicConstraints=critical,CA:TRUE\n")
    }

    func chain(for fault: CertificateFault?) throws -> Chain {
        switch fault {
        case nil: return try issued("good", by: "ca", "leaf.ext")
        case .expired: return try expired()
        case .otherName: return try issued("other", by: "ca", "other.ext")
        case .unknownIssuer:
            // The server forgets to send the one between.
            _ = try issued("middle", by: "ca", "middle.ext")
            return try issued("incomplete", by: "middle", "leaf.ext")
        case .selfSigned:
            try openssl(
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "own.key", "-out", "own.pem",
                "-days", "30", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1")
            return Chain(certificate: folder.path("own.pem"), key: folder.path("own.key"))
        }
    }

    private func request(_ name: String) throws {
        try openssl(
            "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "\(name).key", "-out", "\(name).csr", "-subj",
            "/CN=\(name)")
    }

    private func issued(_ name: String, by issuer: String, _ extensions: String) throws -> Chain {
        try request(name)
        try openssl(
            "x509", "-req", "-in", "\(name).csr", "-CA", "\(issuer).pem", "-CAkey", "\(issuer).key",
            "-CAcreateserial", "-days", "30", "-extfile", extensions, "-out", "\(name).pem")
        return Chain(certificate: folder.path("\(name).pem"), key: folder.path("\(name).key"))
    }

    /// `openssl ca` alone takes dates of the past.
    private func expired() throws -> Chain {
        try request("expired")
        _ = try folder.write("index", "")
        _ = try folder.write("serial", "1000\n")
        _ = try folder.write(
            "ca.conf",
            "[ca]\ndefault_ca=one\n[one]\ndatabase=index\nserial=serial\nnew_certs_dir=.\ndefault_md=sha256\n"
                + "policy=any\n[any]\ncommonName=supplied\n")
        try openssl(
            "ca", "-batch", "-config", "ca.conf", "-in", "expired.csr", "-cert", "ca.pem", "-keyfile",
            "ca.key",
            "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-extfile", "leaf.ext", "-out",
            "expired.pem", "-notext")
        return Chain(certificate: folder.path("expired.pem"), key: folder.path("expired.key"))
    }

    private func openssl(_ words: String...) throws {
        let done = try RunningProgram.run(
            "/bin/sh", ["-c", "cd \"$0\" && exec openssl \"$@\"", folder.path] + words, in: folder, within: 30
        )
        guard done.exitCode == 0 else {
            throw StartFailure("openssl \(words.joined(separator: " ")): \(done.errors)")
        }
    }

    /// A server that answers every request with a page.
    func serve(_ chain: Chain) throws -> (program: RunningProgram, port: Int) {
        let port = FreePort.next()
        let words = [
            "s_server", "-accept", "127.0.0.1:\(port)", "-cert", chain.certificate, "-key", chain.key, "-www",
        ]
        let program = try RunningProgram("openssl", words, in: folder, name: "server\(port)")
        return (program, port)
    }
}

@Suite("Certificates", .enabled(if: RunningProgram.isInstalled("openssl"), "needs openssl"))
struct CertificateTests {
    private static let words: [CertificateFault: String] = [
        .expired: "expired", .selfSigned: "self-signed", .unknownIssuer: "issuer is unknown",
        .otherName: "for another name",
    ]

    private func fetch(
        _ port: Int, _ certificates: Certificates, forgiving faults: [CertificateFault]
    ) throws -> TransferResult {
        var settings = TransferEngine.Settings()
        settings.authorities = certificates.authority
        let engine = TransferEngine(settings)
        defer { engine.stop() }
        var request = TransferRequest(try URLText("https://127.0.0.1:\(port)/"))
        request.addresses = .allowLocal
        request.forgivenFaults = faults
        let (asked, found, done) = (request, Lock<TransferResult?>(nil), Semaphore())
        engine.run {
            engine.fetch(asked, limit: 1 << 20, seconds: 10) { body in
                found.withLock { $0 = body.result }
                done.signal()
            }
        }
        done.wait()
        return try #require(found.withLock { $0 })
    }

    @Test("a good one is taken, whatever might be forgiven")
    func good() throws {
        let certificates = try Certificates(in: try TemporaryFolder("tls"))
        let (server, port) = try certificates.serve(certificates.chain(for: nil))
        #expect(
            eventually(within: 10) { (try? fetch(port, certificates, forgiving: []).outcome) == .complete })
        #expect(try fetch(port, certificates, forgiving: CertificateFault.allCases).outcome == .complete)
        server.stop()
    }

    @Test(
        "each fault is told in words, and is forgiven where it is the one that is written down",
        arguments: CertificateFault.allCases)
    func faults(fault: CertificateFault) throws {
        let certificates = try Certificates(in: try TemporaryFolder("tls"))
        let (server, port) = try certificates.serve(certificates.chain(for: fault))
        #expect(eventually(within: 10) { (try? fetch(port, certificates, forgiving: []).outcome) == .tls })
        let text = try fetch(port, certificates, forgiving: []).text
        #expect(text.contains(Self.words[fault] ?? "?"), "\(text)")
        #expect(try fetch(port, certificates, forgiving: [fault]).outcome == .complete)
        let others = CertificateFault.allCases.filter { $0 != fault }
        #expect(try fetch(port, certificates, forgiving: others).outcome == .tls)
        server.stop()
    }
}
