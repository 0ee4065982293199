import Foundation
import TestPrograms
import Testing

@testable import Configuration

@Suite("Files for other programs")
struct DeploymentTests {
    private func sample(_ name: String) throws -> String {
        try String(contentsOfFile: projectFolder + "/config/" + name, encoding: .utf8)
    }

    @Test(
        "systemd takes every unit, and finds the service well shut in",
        .enabled(if: RunningProgram.isInstalled("systemd-analyze"), "systemd-analyze is not installed"),
        arguments: ["aircheck.service", "aircheck.socket", "aircheck-user.service"])
    func units(name: String) throws {
        let scratch = try TemporaryFolder()
        // The program and its manual are not installed where tests run.
        let unit = try sample("systemd/" + name).replacing("/usr/bin/aircheck", with: "/bin/true")
            .replacing("Documentation=man:aircheck(1)\n", with: "")
        let file = try scratch.write(name, unit)
        if name.hasSuffix(".socket") {
            _ = try scratch.write(
                "aircheck.service", "[Service]\nExecStart=/bin/true\n[Unit]\nDescription=stands in\n")
        }
        let verdict = try RunningProgram.run("systemd-analyze", ["verify", "--man=no", file], in: scratch)
        #expect(verdict.exitCode == 0, "\(verdict.errors)")
        #expect(!verdict.errors.contains(name), "\(verdict.errors)")
        guard name == "aircheck.service" else { return }
        let security = try RunningProgram.run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=20", file], in: scratch)
        #expect(security.exitCode == 0, "exposure is over 2.0: \(security.output.suffix(300))")
    }

    @Test(
        "nginx takes the sample",
        .enabled(if: RunningProgram.isInstalled("nginx"), "nginx is not installed"))
    func nginx() throws {
        let scratch = try TemporaryFolder()
        let server = try sample("nginx.conf").replacing(
            "listen 80;", with: "listen unix:\(scratch.path)/s.sock;"
        )
        .replacing("    listen [::]:80;\n", with: "")
        _ = try scratch.write("aircheck.conf", server)
        let whole = try scratch.write(
            "nginx.conf",
            """
            pid \(scratch.path)/nginx.pid;
            error_log stderr;
            events {}
            http { access_log off; include \(scratch.path)/aircheck.conf; }
            """)
        let verdict = try RunningProgram.run("nginx", ["-t", "-p", scratch.path, "-c", whole], in: scratch)
        #expect(verdict.exitCode == 0, "\(verdict.errors)")
    }

    @Test(
        "Caddy takes the sample",
        .enabled(if: RunningProgram.isInstalled("caddy"), "caddy is not installed"))
    func caddy() throws {
        let scratch = try TemporaryFolder()
        let verdict = try RunningProgram.run(
            "caddy", ["validate", "--adapter", "caddyfile", "--config", projectFolder + "/config/Caddyfile"],
            in: scratch)
        #expect(verdict.exitCode == 0, "\(verdict.errors)")
    }

    @Test("samples of proxies do not buffer what never ends")
    func streaming() throws {
        let nginx = try sample("nginx.conf")
        for line in ["proxy_buffering off;", "proxy_read_timeout 24h;", "proxy_request_buffering off;"] {
            #expect(nginx.contains(line))
        }
        #expect(try sample("Caddyfile").contains("flush_interval -1"))
        let brackets = try sample("Caddyfile").filter { "{}".contains($0) }
        #expect(brackets.filter { $0 == "{" }.count == brackets.filter { $0 == "}" }.count)
    }
}
