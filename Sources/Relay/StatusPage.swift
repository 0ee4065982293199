internal import JSONText
internal import Platform
internal import StreamFormats

/// Icecast's `status-json.xsl`, in its shape, with strings that are always strings and numbers always numbers.
///
/// A mount named `1979` by its station, a title of `true` or `1e5` break Icecast's own; here they are quoted.
package struct StatusPage: Sendable {
    /// What stands at the root beside the sources.
    package struct Server: Sendable, Hashable {
        package var admin: String
        package var host: String
        package var location: String
        package var id: String
        /// `http://radio.local:2472`, without a slash at the end.
        package var address: String

        package init(admin: String, host: String, location: String, id: String, address: String) {
            self.admin = admin
            self.host = host
            self.location = location
            self.id = id
            self.address = address
        }
    }

    let server: Server
    let snapshot: RelaySnapshot

    package init(server: Server, snapshot: RelaySnapshot) {
        self.server = server
        self.snapshot = snapshot
    }

    /// - Parameters:
    ///   - mount: of this one alone, with or without the slash in front, as Icecast's `?mount=` asks; nil for all.
    ///   - alwaysArray: `source` is a list even when there is none or one; else it is absent or an object, which is what
    ///     scripts that read Icecast expect.
    package func json(mount: String? = nil, alwaysArray: Bool = false) -> String {
        var root: [JSONValue.Member] = [
            .init("admin", .string(server.admin)), .init("host", .string(server.host)),
            .init("location", .string(server.location)), .init("server_id", .string(server.id)),
            .init("server_start", .string(IcecastDates.rfc2822(snapshot.startedAt))),
            .init("server_start_iso8601", .string(IcecastDates.iso8601(snapshot.startedAt))),
        ]
        let name = mount.map { $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
        let sources = snapshot.openMounts.filter { name == nil || $0.name == name }.map {
            JSONValue.object(fields(of: $0).map(\.json))
        }
        if alwaysArray || sources.count > 1 {
            root.append(.init("source", .array(sources)))
        } else if let only = sources.first {
            root.append(.init("source", only))
        }
        return JSONValue.object([.init("icestats", .object(root))]).text()
    }

    /// One fact under the name that Icecast gives it, for the JSON and the XML page alike.
    struct Field {
        var name: String
        var value: Value

        enum Value {
            case text(String)
            case number(Int64)
        }

        init(_ name: String, _ text: String) { (self.name, value) = (name, .text(text)) }
        init(_ name: String, _ number: some BinaryInteger) {
            (self.name, value) = (name, .number(Int64(number)))
        }

        var json: JSONValue.Member {
            switch value {
            case .text(let text): .init(name, .string(text))
            case .number(let number): .init(name, .int(number))
            }
        }

        var text: String {
            switch value {
            case .text(let text): text
            case .number(let number): "\(number)"
            }
        }
    }

    /// Sorted by name, as Icecast's are; what is not known is left out.
    func fields(of mount: RelaySnapshot.Mount) -> [Field] {
        var fields: [Field] = []
        if let facts = mount.facts { fields += Self.fields(of: facts) }
        fields.append(Field("listener_peak", mount.counts.peak))
        fields.append(Field("listeners", mount.counts.listeners))
        fields.append(Field("listenurl", "\(server.address)/\(mount.name)"))
        if let openedAt = mount.openedAt {
            fields.append(Field("stream_start", IcecastDates.rfc2822(openedAt)))
            fields.append(Field("stream_start_iso8601", IcecastDates.iso8601(openedAt)))
        }
        if let title = mount.title, !title.text.isEmpty { fields.append(Field("title", title.text)) }
        return fields.sorted { $0.name < $1.name }
    }

    private static func fields(of facts: MountFacts) -> [Field] {
        var fields = [
            Field("audio_info", facts.audioInfo), Field("channels", facts.channels),
            Field("samplerate", facts.sampleRate), Field("server_name", facts.name),
            Field("server_type", facts.mediaType),
        ]
        if let bitrate = facts.bitrate { fields.append(Field("bitrate", bitrate)) }
        if let genre = facts.genre { fields.append(Field("genre", genre)) }
        if let about = facts.about { fields.append(Field("server_description", about)) }
        if let homepage = facts.homepage { fields.append(Field("server_url", homepage)) }
        return fields
    }
}
