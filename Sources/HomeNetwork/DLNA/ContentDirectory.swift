/// The two services of a media server: what is there, and in which forms it is sent.
struct ContentDirectory {
    static let type = "urn:schemas-upnp-org:service:ContentDirectory:1"

    let tree: ContentTree
    let didl: DIDL
    let updateNumber: UInt32

    /// Objects in one answer, whatever is asked for: devices ask again from where it ended.
    private static let pageLimit = 500

    /// - Returns: the answer's arguments in order.
    func carryOut(_ call: SoapCall) throws(SoapFault) -> [(String, String)] {
        switch call.action {
        case "Browse": return try browse(call)
        case "GetSearchCapabilities": return [("SearchCaps", "")]
        case "GetSortCapabilities": return [("SortCaps", "")]
        case "GetSystemUpdateID": return [("Id", "\(updateNumber)")]
        default: throw .invalidAction
        }
    }

    private func browse(_ call: SoapCall) throws(SoapFault) -> [(String, String)] {
        guard let id = call.text("ObjectID"), let flag = call.text("BrowseFlag") else {
            throw .invalidArguments
        }
        switch flag {
        case "BrowseMetadata":
            guard let object = tree.object(id) else { throw .noSuchObject }
            return result([object][...], of: 1)
        case "BrowseDirectChildren":
            guard let children = tree.children(id) else { throw .noSuchObject }
            let start = min(max(call.number("StartingIndex") ?? 0, 0), children.count)
            let asked = call.number("RequestedCount") ?? 0
            let count = asked <= 0 ? Self.pageLimit : min(asked, Self.pageLimit)
            return result(children[start..<min(start + count, children.count)], of: children.count)
        default: throw .invalidArguments
        }
    }

    private func result(_ objects: ArraySlice<ContentTree.Object>, of all: Int) -> [(String, String)] {
        [
            ("Result", didl.text(objects)), ("NumberReturned", "\(objects.count)"),
            ("TotalMatches", "\(all)"), ("UpdateID", "\(updateNumber)"),
        ]
    }
}

/// The service that says in which forms sound is sent. There is one connection, as for every HTTP server: 0.
enum ConnectionManager {
    static let type = "urn:schemas-upnp-org:service:ConnectionManager:1"

    static func carryOut(_ call: SoapCall) throws(SoapFault) -> [(String, String)] {
        switch call.action {
        case "GetProtocolInfo": return [("Source", ProtocolInfo.sources), ("Sink", "")]
        case "GetCurrentConnectionIDs": return [("ConnectionIDs", "0")]
        case "GetCurrentConnectionInfo":
            guard call.number("ConnectionID") == 0 else {
                throw SoapFault(code: 706, text: "Invalid connection")
            }
            return [
                ("RcsID", "-1"), ("AVTransportID", "-1"), ("ProtocolInfo", ""),
                ("PeerConnectionManager", ""), ("PeerConnectionID", "-1"), ("Direction", "Output"),
                ("Status", "OK"),
            ]
        default: throw .invalidAction
        }
    }
}
