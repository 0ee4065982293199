/// What the words of a text look like, seen from far: enough to tell a charset that fits from one that does not.
enum WordShape {
    /// True when a word has letters of ASCII and letters beyond Latin in it, as `Beyoncй` has.
    static func mixesScripts(_ text: String) -> Bool {
        words(of: text).contains { word in
            word.contains { $0.isASCII } && word.contains { isBeyondLatin($0) }
        }
    }

    /// The runs of letters of a text.
    static func words(of text: String) -> [[Unicode.Scalar]] {
        text.unicodeScalars.split { !$0.properties.isAlphabetic }.map(Array.init)
    }

    /// A letter of a script that comes after Latin in Unicode: Greek, Cyrillic and all the others.
    static func isBeyondLatin(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x0370 && !(0x1E00..<0x1F00).contains(scalar.value)
    }
}
