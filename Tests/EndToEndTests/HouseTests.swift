import Foundation
import JSONText
import TestPrograms
import Testing

/// Devices in the house find the stations by themselves: real control points in a network of their own, a cable's length
/// away from the service.
@Suite(
    "EndToEnd: the house", .serialized,
    .enabled(
        if: getuid() == 0 && RunningProgram.isInstalled("nsenter")
            && RunningProgram.isInstalled("gssdp-discover"),
        "needs root for a network of its own, and gupnp-tools"))
struct HouseTests {
    /// The service in one network, and a device at the other end of a cable.
    private final class House {
        let folder: TemporaryFolder
        let service: RunningProgram
        let device: RunningProgram
        static let address = "192.168.77.1"

        init(_ settings: String, stations: String = "") throws {
            folder = try TemporaryFolder("house")
            for name in ["data", "config", "config/aircheck", "config/aircheck/stations", "run"] {
                _ = try folder.folder(name, permissions: 0o700)
            }
            _ = try folder.write("config/aircheck/aircheck.toml", settings)
            if !stations.isEmpty { _ = try folder.write("config/aircheck/stations/test.toml", stations) }
            let cable =
                "ip link set lo up; ip link add house type veth peer name device;"
                + " ip addr add \(Self.address)/24 dev house; ip link set house up; exec \(Built.aircheck) serve --demo"
            service = try RunningProgram(
                "unshare", ["-n", "sh", "-c", cable], in: folder, name: "serve",
                environment: Built.environment(folder))
            device = try RunningProgram("unshare", ["-n", "sleep", "600"], in: folder, name: "device")
            let socket = folder.path("run/aircheck/control.sock")
            guard eventually(within: 30, { FileManager.default.fileExists(atPath: socket) }) else {
                throw StartFailure("the service did not start: \(service.errors)")
            }
            try run(
                "nsenter",
                ["-t", "\(service.pid)", "-n", "ip", "link", "set", "device", "netns", "\(device.pid)"])
            _ = try there(
                "sh",
                ["-c", "ip link set lo up; ip addr add 192.168.77.2/24 dev device; ip link set device up"])
        }

        private func run(_ program: String, _ words: [String]) throws {
            let ended = try RunningProgram.run(program, words, in: folder)
            guard ended.exitCode == 0 else { throw StartFailure("\(program): \(ended.errors)") }
        }

        /// Runs a program where the device is.
        func there(_ program: String, _ words: [String], asNobody: Bool = false, within seconds: Double = 60)
            throws -> String
        {
            let nobody = asNobody ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
            let ended = try RunningProgram.run(
                "nsenter", ["-t", "\(device.pid)", "-n"] + nobody + [program] + words, in: folder,
                environment: ["HOME": folder.path], within: seconds)
            return ended.output + ended.errors
        }

        func call(_ method: String, _ path: String, _ body: String) throws -> String {
            try RunningProgram.run(
                "curl",
                [
                    "-s", "--unix-socket", folder.path("run/aircheck/control.sock"), "-X", method, "-H",
                    "Content-Type: application/json", "-d", body, "http://localhost" + path,
                ], in: folder
            ).output
        }

        func stop() {
            service.stop()
            device.stop()
        }
    }

    private static let settings = """
        [server]
        listen_bind = "0.0.0.0"
        listen_open = true
        [home]
        media_server = true
        name = "Kitchen & <radio>"
        recordings = true
        receiver_port = 80
        [player]
        output = "null"

        """

    private static let stations = """
        [[station]]
        id = "jazz"
        name = "Jazz & \\"Blues\\""
        urls = ["http://127.0.0.1:9/"]
        groups = ["Evening"]
        genre = "Jazz"
        country = "FR"
        codec = "aac"
        local = true

        """

    @Test(
        "gssdp-discover finds it and hears it leave; GUPnP reads every folder and gets its event; VLC plays from it"
    )
    func mediaServer() throws {
        let house = try House(Self.settings, stations: Self.stations)
        let made = try house.call("POST", "/api/v1/recordings", #"{"station":"demo","seconds":3}"#)
        #expect(made.contains("\"id\""))
        let found = try house.there("gssdp-discover", ["-i", "device", "-n", "4"], within: 20)
        let names = found.components(separatedBy: "USN:").dropFirst().map { $0.split(separator: "\n")[0] }
        #expect(Set(names).count == 5, "\(found)")
        #expect(found.contains("Location: http://\(House.address):2472/dlna/device.xml"))
        #expect(
            eventually(within: 20) {
                (try? house.call("GET", "/api/v1/recordings", ""))?.contains("finished") == true
            })

        if FileManager.default.fileExists(
            atPath: "/usr/lib/x86_64-linux-gnu/girepository-1.0/GUPnP-1.6.typelib")
        {
            let script = try house.folder.write("point.py", Self.controlPoint)
            let read = try house.there("/usr/bin/python3", [script, "device", "20"], within: 40)
            let base = "http://\(House.address):2472"
            for line in [
                "device|Kitchen & <radio>",
                "item|stations/jazz|Jazz & \"Blues\"|\(base)/jazz.mp3|\(base)/jazz",
                "item|groups/Evening/jazz|", "item|genres/Jazz/jazz|", "item|countries/France/jazz|",
                "item|stations/demo|aircheck demo|\(base)/demo", "item|recordings/",
                "source|http-get:*:audio/mpeg:*",
                "event|SystemUpdateID|",
            ] { #expect(read.contains(line), "\(line)\n\(read)") }
            let file = read.split(separator: "\n").first { $0.contains("item|recordings/") }?.split(
                separator: "|"
            ).last
            let head = try house.there(
                "curl",
                [
                    "-s", "-I", "-H", "transferMode.dlna.org: Streaming", "-H",
                    "getcontentFeatures.dlna.org: 1",
                    String(file ?? ""),
                ])
            #expect(head.contains("200 OK") && head.contains("Accept-Ranges: bytes"), "\(head)")
            #expect(head.contains("contentFeatures.dlna.org: DLNA.ORG_PN=MP3;DLNA.ORG_OP=01"), "\(head)")
        }
        let live = try house.there(
            "curl",
            [
                "-s", "-m", "3", "-D", "-", "-o", "/dev/null", "-H", "transferMode.dlna.org: Streaming", "-H",
                "getcontentFeatures.dlna.org: 1", "http://\(House.address):2472/demo",
            ])
        #expect(live.contains("transferMode.dlna.org: Streaming"), "\(live)")
        #expect(live.contains("contentFeatures.dlna.org: DLNA.ORG_PN=MP3;DLNA.ORG_OP=00"), "\(live)")
        if RunningProgram.isInstalled("cvlc") { try vlc(house) }

        let leaving = try RunningProgram(
            "nsenter",
            [
                "-t", "\(house.device.pid)", "-n", "gssdp-discover", "-i", "device", "-n", "8", "-m",
                "unavailable",
            ],
            in: house.folder, name: "leaving")
        Thread.sleep(forTimeInterval: 2)
        house.service.stop()
        leaving.wait(15)
        #expect(leaving.output.contains("resource unavailable"), "\(leaving.output)")
        house.stop()
    }

    /// VLC reads a folder by its own UPnP library and keeps what it plays.
    private func vlc(_ house: House) throws {
        _ = try house.folder.folder("heard")
        try house.folder.give(toNobody: "heard")
        let file = house.folder.path("heard/out.mp3")
        let said = try house.there(
            "cvlc",
            [
                "-I", "dummy", "--no-dbus", "--no-lua", "--sout", "#std{access=file,mux=raw,dst=\(file)}",
                "--run-time", "5", "--play-and-exit",
                "upnp://\(House.address):2472/dlna/control/ContentDirectory?ObjectID=genres%2FTest",
                "vlc://quit",
            ], asNobody: true, within: 40)
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: file)))?.count ?? 0
        #expect(bytes > 30_000, "\(said)")
    }

    @Test(
        "an old receiver that asks vtuner.com is shown the menu, and nothing but it by that name; Kodi gets list and guide"
    )
    func receiverAndKodi() throws {
        let house = try House(Self.settings, stations: Self.stations)
        func ask(_ path: String, host: String = "denon.vtuner.com") throws -> String {
            try house.there("curl", ["-s", "-H", "Host: \(host)", "http://\(House.address)\(path)"])
        }
        #expect(try ask("/setupapp/denon/asp/browsexml/loginXML.asp?token=0").contains("<EncryptedToken>"))
        let menu = try ask(
            "/setupapp/denon/asp/browsexml/loginXML.asp?mac=0&dlang=eng&startitems=1&enditems=100")
        #expect(menu.contains("<Title>All stations</Title>"), "\(menu)")
        let stations = try ask("/setupapp/denon/asp/browsexml/navXML.asp?id=stations")
        // By number and the port of the mounts: the receiver believes in no other name.
        #expect(
            stations.contains("<StationUrl>http://\(House.address):2472/jazz.mp3</StationUrl>"), "\(stations)"
        )
        #expect(try ask("/api/v1/status").contains("not_found"))
        #expect(try ask("/setupapp/x/loginXML.asp", host: "evil.example").contains("unknown_host"))
        #expect(try ask("/setupapp/x/loginXML.asp", host: "vtuner.com.evil.example").contains("unknown_host"))
        let list = try house.there("curl", ["-s", "http://\(House.address):2472/iptv/radio.m3u"])
        #expect(list.contains("tvg-id=\"jazz.aircheck\"") && list.contains("group-title=\"Evening\""))
        let guide = try house.there("curl", ["-s", "http://\(House.address):2472/iptv/guide.xml"])
        #expect(guide.contains("<channel id=\"jazz.aircheck\">"))
        house.stop()
    }

    @Test(
        "it is off until it is asked for, and refused where devices could not use it",
        arguments: [("[home]\nmedia_server = true\n", 78), ("[home]\nreceiver_port = 8080\n", 78)])
    func refused(home: String, code: Int32) throws {
        let folder = try TemporaryFolder("house")
        for name in ["config", "config/aircheck", "run"] { _ = try folder.folder(name, permissions: 0o700) }
        _ = try folder.write(
            "config/aircheck/aircheck.toml",
            "[server]\nlisten_bind = \"0.0.0.0\"\nlisten_port = \(FreePort.next())\n" + home)
        let ended = try Built.run(["serve"], in: folder, within: 20)
        #expect(ended.exitCode == code)
        #expect(ended.errors.contains("server.listen_open"), "\(ended.errors)")
    }

    @Test("without the setting there is no media server, and recordings are not for listeners")
    func off() throws {
        let folder = try TemporaryFolder("house-off")
        let service = try AircheckService(in: folder, settings: "[player]\noutput = \"null\"\n")
        for path in ["/dlna/device.xml", "/setupapp/x/loginXML.asp?token=0", "/iptv/recording/x.mp3"] {
            let status = try RunningProgram.run(
                "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", service.address + path], in: folder
            ).output
            #expect(status == "404", "\(path)")
        }
        service.stop()
    }

    @Test(
        "Avahi's own daemon takes the file that `aircheck avahi` writes",
        .enabled(if: RunningProgram.isInstalled("avahi-daemon"), "needs avahi-daemon"))
    func avahi() throws {
        let folder = try TemporaryFolder("avahi")
        for name in ["config", "config/aircheck", "services"] {
            _ = try folder.folder(name, permissions: 0o755)
        }
        let alone = try Built.run(["avahi", "--install", "--folder", folder.path("services")], in: folder)
        #expect(alone.exitCode == 78 && alone.errors.contains("server.listen_bind"), "\(alone.errors)")
        _ = try folder.write("avahi.conf", "[server]\nuse-ipv4=yes\nuse-ipv6=no\nenable-dbus=no\n")
        _ = try folder.write(
            "config/aircheck/aircheck.toml",
            "[server]\nlisten_bind = \"0.0.0.0\"\nlisten_port = 2500\nlisten_open = true\n")
        let printed = try Built.run(["avahi"], in: folder)
        #expect(printed.output.contains("<port>2500</port>"))
        let installed = try Built.run(
            ["avahi", "--install", "--folder", folder.path("services")], in: folder)
        #expect(installed.exitCode == 0, "\(installed.errors)")
        // Avahi reads one folder alone; in a namespace of its own that is ours.
        let daemon = try RunningProgram(
            "unshare",
            [
                "-n", "-m", "sh", "-c",
                "ip link set lo up; ip link add a type veth peer name b; ip addr add 192.168.78.1/24 dev a; ip link set a up;"
                    + " ip link set b up; mount --bind \(folder.path("services")) /etc/avahi/services; mount -t tmpfs none /run;"
                    + " exec avahi-daemon --no-rlimits --no-drop-root --no-proc-title --debug --file=\(folder.path("avahi.conf"))",
            ], in: folder, name: "avahi")
        let took = eventually(within: 15) {
            (daemon.errors + daemon.output).contains("successfully established")
        }
        #expect(took, "\(daemon.errors)\(daemon.output)")
        daemon.stop()
        #expect(
            try Built.run(["avahi", "--remove", "--folder", folder.path("services")], in: folder).exitCode
                == 0)
        #expect(
            try Built.run(["avahi", "--remove", "--folder", folder.path("services")], in: folder).exitCode
                == 66)
    }

    private static let controlPoint = """
        import sys, gi
        import xml.etree.ElementTree as ET
        gi.require_version("GUPnP", "1.6"); gi.require_version("GSSDP", "1.6")
        from gi.repository import GUPnP, GSSDP, GLib
        loop = GLib.MainLoop()
        context = GUPnP.Context.new_full(sys.argv[1], None, 0, GSSDP.UDAVersion.VERSION_1_0)
        point = GUPnP.ControlPoint.new(context, "urn:schemas-upnp-org:device:MediaServer:1")
        names = {"d": "urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/", "dc": "http://purl.org/dc/elements/1.1/"}
        kept = []
        def say(*words): print(*words, sep="|", flush=True)
        def call(service, name, inputs, values, outputs, types):
            action = GUPnP.ServiceProxyAction.new_from_list(name, inputs, values)
            return service.call_action(action, None).get_result_list(outputs, types)[1]
        def walk(service, id):
            result = call(service, "Browse",
                ["ObjectID", "BrowseFlag", "Filter", "StartingIndex", "RequestedCount", "SortCriteria"],
                [id, "BrowseDirectChildren", "*", 0, 0, ""], ["Result", "NumberReturned"], [str, int])[0]
            for element in ET.fromstring(result):
                kind = element.tag.split("}")[1]
                say(kind, element.get("id"), element.find("dc:title", names).text, *[r.text for r in element.findall("d:res", names)])
                if kind == "container": walk(service, element.get("id"))
        def changed(service, name, value, *rest):
            say("event", name, value); loop.quit()
        def available(point, proxy):
            say("device", proxy.get_friendly_name())
            service = proxy.get_service("urn:schemas-upnp-org:service:ContentDirectory:1")
            manager = proxy.get_service("urn:schemas-upnp-org:service:ConnectionManager:1")
            kept.extend([proxy, service, manager])
            walk(service, "0")
            say("source", call(manager, "GetProtocolInfo", [], [], ["Source"], [str])[0])
            service.add_notify("SystemUpdateID", int, changed); service.set_subscribed(True)
        point.connect("device-proxy-available", available)
        point.set_active(True)
        GLib.timeout_add_seconds(int(sys.argv[2]), loop.quit)
        loop.run()
        """
}
