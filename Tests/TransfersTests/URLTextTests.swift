import Testing

@testable import Transfers

@Suite("Addresses as text")
struct URLTextTests {
    @Test(
        "an address stays as it was written, byte for byte",
        arguments: [
            "http://s.example:8000/;", "http://s.example:8000/;stream.nsv",
            "http://s.example:8000/;?type=http&nocache=66", "http://s.example:8000/;stream/1",
            "http://f131.cdn.example/live.mp3?cid=01FB&sid=2SS&token=nIt-htb~*&x=%2f%2F&e=",
            "https://h.example/a/../b//c",
            "http://[2001:db8::5]:8000/x", "http://h.example/a|b^c'd\"e", "http://h.example/p?q=1?2/3",
        ])
    func byteExact(address: String) throws {
        #expect(try URLText(address).text == address)
    }

    @Test("user and password are taken out and decoded; empty ones are none")
    func credentials() throws {
        let url = try URLText("http://user:p%40ss@s.example/live")
        #expect(url.text == "http://s.example/live")
        #expect(url.credentials == .init(user: "user", password: "p@ss"))
        #expect(try URLText("http://:@s.example:18000/fun128.ogg").credentials == nil)
    }

    @Test(
        "a reference is resolved as RFC 3986 says",
        arguments: [
            ("live.mp3", "http://h.example/dir/live.mp3"), ("/live", "http://h.example/live"),
            ("//cdn.example/x", "http://cdn.example/x"), ("?sid=2", "http://h.example/dir/list.m3u?sid=2"),
            ("index.html?sid=1", "http://h.example/dir/index.html?sid=1"), ("../up", "http://h.example/up"),
            (" http://x.example/; \r\n", "http://x.example/;"),
            ("HTTPS://Up.example/A", "https://Up.example/A"),
        ])
    func resolving(reference: String, expected: String) throws {
        #expect(try URLText("http://h.example/dir/list.m3u").resolving(reference).text == expected)
    }

    @Test(
        "what is no web address is refused",
        arguments: [
            "file:///etc/passwd", "gopher://h.example/x", "ftp://h.example/", "javascript:alert(1)", "",
            "http://",
            "http://h.example/a\r\nX: y", "http://h.example/\u{7F}", "http://h.example/\0",
            "rtsp://h.example/x",
            "http://h.example:99999/",
        ])
    func refused(address: String) {
        #expect(throws: URLText.Fault.self) { try URLText(address) }
    }

    @Test(
        "a remote list leads to no file of this machine",
        arguments: ["..\\Mp3\\01 - A.mp3", "file:///etc/passwd", "C:\\x.mp3"])
    func localFiles(reference: String) throws {
        let base = try URLText("http://h.example/dir/list.m3u")
        #expect(throws: URLText.Fault.self) { try base.resolving(reference) }
    }

    @Test(
        "the extension is that of the last component",
        arguments: [
            ("http://h/a.mp3", "mp3"), ("http://h/a.b/c", nil), ("http://h/x.M3U8?q=a.b", "m3u8"),
            ("http://h/", nil),
            ("http://h/.hidden", nil), ("http://h/;stream.nsv", "nsv"),
        ] as [(String, String?)])
    func pathExtension(address: String, expected: String?) throws {
        #expect(try URLText(address).pathExtension == expected)
    }
}
