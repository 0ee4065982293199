internal import StreamFormats

/// Who the media server is, and what its services can do: the XML that control points read first.
struct DeviceDescription {
    /// `uuid:…` without its prefix; the same as long as the data folder is.
    let uuid: String
    let name: String
    let version: String
    /// Where this device reaches us; the page of the service.
    let address: HomeAddress

    static let type = "urn:schemas-upnp-org:device:MediaServer:1"

    var text: String {
        """
        <?xml version="1.0" encoding="utf-8"?>
        <root xmlns="urn:schemas-upnp-org:device-1-0" xmlns:dlna="urn:schemas-dlna-org:device-1-0">
        <specVersion><major>1</major><minor>0</minor></specVersion>
        <device>
        <deviceType>\(Self.type)</deviceType>
        <friendlyName>\(XMLText.escaped(name))</friendlyName>
        <manufacturer>aircheck</manufacturer>
        <modelDescription>Live radio, pulled once</modelDescription>
        <modelName>aircheck</modelName>
        <modelNumber>\(XMLText.escaped(version))</modelNumber>
        <UDN>uuid:\(uuid)</UDN>
        <dlna:X_DLNADOC>DMS-1.50</dlna:X_DLNADOC>
        <presentationURL>\(XMLText.escaped(address.base))/</presentationURL>
        <iconList>\(icons)</iconList>
        <serviceList>\(service("ContentDirectory"))\(service("ConnectionManager"))</serviceList>
        </device>
        </root>

        """
    }

    private var icons: String {
        DeviceIcon.all.map { icon in
            "<icon><mimetype>\(icon.mediaType)</mimetype><width>\(icon.side)</width><height>\(icon.side)</height>"
                + "<depth>24</depth><url>/dlna/\(icon.name)</url></icon>"
        }.joined()
    }

    private func service(_ name: String) -> String {
        "<service><serviceType>urn:schemas-upnp-org:service:\(name):1</serviceType>"
            + "<serviceId>urn:upnp-org:serviceId:\(name)</serviceId><SCPDURL>/dlna/\(name).xml</SCPDURL>"
            + "<controlURL>/dlna/control/\(name)</controlURL><eventSubURL>/dlna/events/\(name)</eventSubURL></service>"
    }
}

/// The actions and variables of a service, as UPnP describes them (SCPD).
enum ServiceDescription {
    /// An action: arguments in, arguments out; each with the variable that says its type.
    private struct Action {
        var name: String
        var takes: [(String, String)] = []
        var gives: [(String, String)] = []
    }

    static let contentDirectory = text(
        [
            Action(
                name: "Browse",
                takes: [
                    ("ObjectID", "A_ARG_TYPE_ObjectID"), ("BrowseFlag", "A_ARG_TYPE_BrowseFlag"),
                    ("Filter", "A_ARG_TYPE_Filter"), ("StartingIndex", "A_ARG_TYPE_Index"),
                    ("RequestedCount", "A_ARG_TYPE_Count"), ("SortCriteria", "A_ARG_TYPE_SortCriteria"),
                ],
                gives: [
                    ("Result", "A_ARG_TYPE_Result"), ("NumberReturned", "A_ARG_TYPE_Count"),
                    ("TotalMatches", "A_ARG_TYPE_Count"), ("UpdateID", "A_ARG_TYPE_UpdateID"),
                ]),
            Action(name: "GetSearchCapabilities", gives: [("SearchCaps", "SearchCapabilities")]),
            Action(name: "GetSortCapabilities", gives: [("SortCaps", "SortCapabilities")]),
            Action(name: "GetSystemUpdateID", gives: [("Id", "SystemUpdateID")]),
        ],
        [
            ("A_ARG_TYPE_ObjectID", "string", []),
            ("A_ARG_TYPE_BrowseFlag", "string", ["BrowseMetadata", "BrowseDirectChildren"]),
            ("A_ARG_TYPE_Filter", "string", []), ("A_ARG_TYPE_Index", "ui4", []),
            ("A_ARG_TYPE_Count", "ui4", []), ("A_ARG_TYPE_SortCriteria", "string", []),
            ("A_ARG_TYPE_Result", "string", []), ("A_ARG_TYPE_UpdateID", "ui4", []),
            ("SearchCapabilities", "string", []), ("SortCapabilities", "string", []),
            ("SystemUpdateID", "ui4", []),
        ], evented: ["SystemUpdateID"])

    static let connectionManager = text(
        [
            Action(
                name: "GetProtocolInfo",
                gives: [("Source", "SourceProtocolInfo"), ("Sink", "SinkProtocolInfo")]),
            Action(name: "GetCurrentConnectionIDs", gives: [("ConnectionIDs", "CurrentConnectionIDs")]),
            Action(
                name: "GetCurrentConnectionInfo", takes: [("ConnectionID", "A_ARG_TYPE_ConnectionID")],
                gives: [
                    ("RcsID", "A_ARG_TYPE_RcsID"), ("AVTransportID", "A_ARG_TYPE_AVTransportID"),
                    ("ProtocolInfo", "A_ARG_TYPE_ProtocolInfo"),
                    ("PeerConnectionManager", "A_ARG_TYPE_ConnectionManager"),
                    ("PeerConnectionID", "A_ARG_TYPE_ConnectionID"), ("Direction", "A_ARG_TYPE_Direction"),
                    ("Status", "A_ARG_TYPE_ConnectionStatus"),
                ]),
        ],
        [
            ("SourceProtocolInfo", "string", []), ("SinkProtocolInfo", "string", []),
            ("CurrentConnectionIDs", "string", []), ("A_ARG_TYPE_ConnectionID", "i4", []),
            ("A_ARG_TYPE_RcsID", "i4", []), ("A_ARG_TYPE_AVTransportID", "i4", []),
            ("A_ARG_TYPE_ProtocolInfo", "string", []), ("A_ARG_TYPE_ConnectionManager", "string", []),
            ("A_ARG_TYPE_Direction", "string", ["Input", "Output"]),
            (
                "A_ARG_TYPE_ConnectionStatus", "string",
                ["OK", "ContentFormatMismatch", "InsufficientBandwidth", "UnreliableChannel", "Unknown"]
            ),
        ], evented: ["SourceProtocolInfo", "SinkProtocolInfo", "CurrentConnectionIDs"])

    private static func text(
        _ actions: [Action], _ variables: [(name: String, type: String, values: [String])],
        evented: Set<String>
    ) -> String {
        var text = """
            <?xml version="1.0" encoding="utf-8"?>
            <scpd xmlns="urn:schemas-upnp-org:service-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>
            <actionList>

            """
        for action in actions {
            text += "<action><name>\(action.name)</name><argumentList>"
            text += action.takes.map { argument($0, "in") }.joined()
            text += action.gives.map { argument($0, "out") }.joined() + "</argumentList></action>\n"
        }
        text += "</actionList>\n<serviceStateTable>\n"
        for variable in variables {
            text += "<stateVariable sendEvents=\"\(evented.contains(variable.name) ? "yes" : "no")\">"
            text += "<name>\(variable.name)</name><dataType>\(variable.type)</dataType>"
            if !variable.values.isEmpty {
                let values = variable.values.map { "<allowedValue>\($0)</allowedValue>" }.joined()
                text += "<allowedValueList>\(values)</allowedValueList>"
            }
            text += "</stateVariable>\n"
        }
        return text + "</serviceStateTable>\n</scpd>\n"
    }

    private static func argument(_ argument: (String, String), _ direction: String) -> String {
        "<argument><name>\(argument.0)</name><direction>\(direction)</direction>"
            + "<relatedStateVariable>\(argument.1)</relatedStateVariable></argument>"
    }
}
