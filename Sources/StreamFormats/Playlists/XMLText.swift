/// Text on its way into an XML document.
package enum XMLText {
    /// The five characters escaped; what XML 1.0 (§2.2) does not allow left out. Fit for content and attributes.
    package static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&apos;"
            default: if isAllowed(scalar) { safe.unicodeScalars.append(scalar) }
            }
        }
        return safe
    }

    /// XML 1.0 allows it, and no reader takes it for a control.
    static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0x00..<0x20, 0x7F..<0xA0, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
