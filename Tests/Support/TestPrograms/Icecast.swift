import Foundation

/// Debian's Icecast on a loopback port, as nobody, with everything else in a temporary folder.
package final class Icecast: Sendable {
    package static let password = "sourcesecret"
    package static let adminPassword = "adminsecret"

    package let port: Int
    private let program: RunningProgram

    /// Starts it and waits until it answers.
    /// - Parameters:
    ///   - burst: bytes a new listener gets at once.
    ///   - port: where it listens; a free one unless said otherwise.
    ///   - more: XML that is added to its settings.
    package init(
        in folder: TemporaryFolder, burst: Int = 65_536, sources: Int = 64, clients: Int = 2000,
        more: String = "", port wanted: Int? = nil
    ) throws {
        port = wanted ?? FreePort.next()
        _ = try folder.folder("icecast")
        try folder.give(toNobody: "icecast")
        let file = try folder.write(
            "icecast.xml", Self.settings(port, folder.path("icecast"), burst, sources, clients, more))
        program = try RunningProgram("icecast2", ["-c", file], in: folder, asNobody: true)
        let port = port
        guard eventually(within: 15, { FreePort.isOpen(port) }) else {
            throw StartFailure("icecast2 did not start: \(program.errors)")
        }
    }

    package var pid: Int32 { program.pid }
    package func stop() { program.stop() }
    /// Stands still, as a frozen server would; its sockets stay open.
    package func freeze() { kill(pid, SIGSTOP) }
    package func thaw() { kill(pid, SIGCONT) }

    package func url(_ mount: String) -> String { "http://127.0.0.1:\(port)/\(mount)" }

    /// Where a source client of ffmpeg's sends to.
    package func sourceURL(_ mount: String) -> String {
        "icecast://source:\(Self.password)@127.0.0.1:\(port)/\(mount)"
    }

    /// Changes the title of a mount, as a source's operator would.
    package func setTitle(
        _ title: String, charset: String = "UTF-8", mount: String, in folder: TemporaryFolder
    ) throws {
        var encoded = ""
        for byte in title.utf8 { encoded += "%" + String(format: "%02X", byte) }
        try setTitle(encoded: encoded, charset: charset, mount: mount, in: folder)
    }

    /// The same with bytes that are percent-encoded already, in whatever charset.
    package func setTitle(encoded: String, charset: String, mount: String, in folder: TemporaryFolder) throws
    {
        let url =
            "http://127.0.0.1:\(port)/admin/metadata?mode=updinfo&mount=/\(mount)&charset=\(charset)&song=\(encoded)"
        let answer = try RunningProgram.run(
            "curl", ["-s", "-f", "-u", "admin:\(Self.adminPassword)", url], in: folder, within: 10)
        guard answer.exitCode == 0 else { throw StartFailure("icecast refused the title") }
    }

    /// Whether a source sends to a mount; `listeners` is 0 also where none does.
    package func hasSource(_ mount: String, in folder: TemporaryFolder) throws -> Bool {
        try clients(of: mount, in: folder).contains("<source mount=\"/\(mount)\"")
    }

    /// Waits until sources send to these mounts, and for a second more, so that a listener gets a burst.
    package func awaitSources(_ mounts: String..., in folder: TemporaryFolder) throws {
        for mount in mounts {
            guard eventually(within: 20, { (try? hasSource(mount, in: folder)) == true }) else {
                throw StartFailure("no source has come to \(mount)")
            }
        }
        Thread.sleep(forTimeInterval: 1)
    }

    /// Listeners of a mount, as Icecast counts them.
    package func listeners(of mount: String, in folder: TemporaryFolder) throws -> Int {
        let answer = try clients(of: mount, in: folder)
        return answer.components(separatedBy: "<listener>").count - 1
            + answer.components(separatedBy: "<listener ").count - 1
    }

    private func clients(of mount: String, in folder: TemporaryFolder) throws -> String {
        try RunningProgram.run(
            "curl",
            [
                "-s", "-u", "admin:\(Self.adminPassword)",
                "http://127.0.0.1:\(port)/admin/listclients?mount=/\(mount)",
            ],
            in: folder, within: 10
        ).output
    }

    private static func settings(
        _ port: Int, _ folder: String, _ burst: Int, _ sources: Int, _ clients: Int,
        _ more: String
    ) -> String {
        """
        <icecast>
          <limits><clients>\(clients)</clients><sources>\(sources)</sources><queue-size>524288</queue-size>
            <burst-on-connect>1</burst-on-connect><burst-size>\(burst)</burst-size></limits>
          <authentication><source-password>\(password)</source-password><relay-password>relaysecret</relay-password>
            <admin-user>admin</admin-user><admin-password>\(adminPassword)</admin-password></authentication>
          <hostname>127.0.0.1</hostname>
          <listen-socket><port>\(port)</port><bind-address>127.0.0.1</bind-address></listen-socket>
          \(more)
          <mount type="default"><charset>UTF-8</charset></mount>
          <paths><basedir>\(folder)</basedir><logdir>\(folder)</logdir><webroot>\(folder)</webroot>
            <adminroot>/usr/share/icecast2/admin</adminroot></paths>
          <logging><accesslog>access.log</accesslog><errorlog>error.log</errorlog><loglevel>2</loglevel></logging>
          <security><chroot>0</chroot></security>
        </icecast>
        """
    }
}

/// A program that a test needs did not come up.
package struct StartFailure: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
