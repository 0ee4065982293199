internal import StreamFormats

/// One action that a control point asks for: its name and its arguments. Pure.
struct SoapCall {
    /// Without the service in front: `Browse`.
    let action: String
    /// Names in lower case.
    let arguments: [String: String]

    /// - Parameter header: the value of `SOAPACTION`, with or without quotes.
    /// - Returns: nil for what is no call of an action.
    init?(header: String?, body: [UInt8]) {
        let tokens = XMLTokens(body)
        guard tokens.refusal == nil else { return nil }
        var inBody = false
        var action: String?
        var (argument, arguments) = (String?.none, [String: String]())
        for token in tokens.all {
            switch token {
            case .open("body", _): inBody = true
            case .close("body"): inBody = false
            case .open(let name, _) where inBody:
                if action == nil {
                    action = name
                } else {
                    argument = name
                    arguments[name] = arguments[name] ?? ""
                }
            case .text(let text):
                if let argument { arguments[argument] = text }
            case .close: argument = nil
            case .open: break
            }
        }
        guard let action else { return nil }
        // The header has the name as it is written; tags are read without their case.
        let named = header?.split(separator: "#").last.map { $0.filter { $0 != "\"" && $0 != " " } }
        self.action = named?.lowercased() == action ? named ?? action : action
        self.arguments = arguments
    }

    func text(_ name: String) -> String? { arguments[name.lowercased()] }

    /// Nil where it is missing or no number.
    func number(_ name: String) -> Int? {
        text(name).flatMap { Int($0.split(whereSeparator: \.isWhitespace).first ?? "") }
    }

    // MARK: Answers

    /// The envelope of an answer, with its arguments in order.
    static func answer(_ action: String, of service: String, _ values: [(String, String)]) -> String {
        let body = values.map { "<\($0)>\(XMLText.escaped($1))</\($0)>" }.joined()
        return envelope("<u:\(action)Response xmlns:u=\"\(service)\">\(body)</u:\(action)Response>")
    }

    static func fault(_ code: Int, _ text: String) -> String {
        envelope(
            "<s:Fault><faultcode>s:Client</faultcode><faultstring>UPnPError</faultstring><detail>"
                + "<UPnPError xmlns=\"urn:schemas-upnp-org:control-1-0\"><errorCode>\(code)</errorCode>"
                + "<errorDescription>\(XMLText.escaped(text))</errorDescription></UPnPError></detail></s:Fault>"
        )
    }

    private static func envelope(_ body: String) -> String {
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            + "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
            + " s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><s:Body>\(body)</s:Body></s:Envelope>"
    }
}

/// Why an action was not carried out: the code and the words of UPnP.
struct SoapFault: Error {
    var code: Int
    var text: String

    static let invalidAction = SoapFault(code: 401, text: "Invalid Action")
    static let invalidArguments = SoapFault(code: 402, text: "Invalid Args")
    static let noSuchObject = SoapFault(code: 701, text: "No such object")
}
