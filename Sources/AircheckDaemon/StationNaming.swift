/// Names for stations that were given by their address alone.
package enum StationNaming {
    /// The host of an address, for people.
    package static func name(for url: String) -> String {
        let rest = url[(url.firstRange(of: "://")?.upperBound ?? url.startIndex)...]
        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return authority.split(separator: "@").last.map(String.init) ?? "station"
    }

    /// An id out of a name: lower-case ASCII letters and digits, with single dashes between.
    package static func id(for name: String) -> String {
        var id = ""
        for scalar in name.lowercased().unicodeScalars {
            let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
            if isPlain {
                id.unicodeScalars.append(scalar)
            } else if !id.isEmpty, !id.hasSuffix("-") {
                id += "-"
            }
        }
        while id.hasSuffix("-") { id.removeLast() }
        return id.isEmpty ? "station" : String(id.prefix(48))
    }
}
