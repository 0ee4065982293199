/// The letters beyond ASCII of the languages that are written in Latin letters, by the charsets that hold them.
struct LatinLanguage: Sendable {
    let charsets: [SingleByteCharset]
    /// Small letters.
    private let letters: Set<Unicode.Scalar>

    private init(_ letters: String, charsets: [SingleByteCharset]) {
        self.letters = Set(letters.unicodeScalars)
        self.charsets = charsets
    }

    func has(_ scalar: Unicode.Scalar) -> Bool {
        letters.contains(scalar)
            || scalar.properties.lowercaseMapping.unicodeScalars.first.map(letters.contains) ?? false
    }

    private static let western = [SingleByteCharset.windows1252, .iso885915]
    private static let central = [SingleByteCharset.windows1250, .iso88592]
    private static let baltic = [SingleByteCharset.windows1257, .iso885913]

    static let all = [
        LatinLanguage("àâæçéèêëîïôœùûüÿ", charsets: western),  // French
        LatinLanguage("äöüßéèàç", charsets: western + central + [.windows1254]),  // German and its loans
        LatinLanguage("áéíñóúüçïàèò", charsets: western),  // Spanish, Catalan
        LatinLanguage("ãâáàçéêíõôóúü", charsets: western),  // Portuguese
        LatinLanguage("àèéìíòóùúî", charsets: western),  // Italian
        LatinLanguage("åäöæøéèüáà", charsets: western),  // Danish, Norwegian, Swedish, Finnish
        LatinLanguage("áðéíóúýþæö", charsets: western),  // Icelandic
        LatinLanguage("ëïéèöüóíáäêàç", charsets: western),  // Dutch
        LatinLanguage("ąćęłńóśźżéü", charsets: central),  // Polish
        LatinLanguage("áčďéěíňóřšťúůýžäôľĺŕöü", charsets: central),  // Czech, Slovak
        LatinLanguage("áéíóöőúüű", charsets: central),  // Hungarian
        LatinLanguage("čćđšžé", charsets: central),  // Croatian, Bosnian, Slovene, Serbian
        LatinLanguage("ăâîşţé", charsets: central),  // Romanian, as it had to be written
        LatinLanguage("çğıİöşüâîûé", charsets: [.windows1254]),  // Turkish
        LatinLanguage("ąčęėįšųūžé", charsets: baltic),  // Lithuanian
        LatinLanguage("āčēģīķļņšūžōŗ", charsets: baltic),  // Latvian
        LatinLanguage("äõöüšž", charsets: baltic + western),  // Estonian
    ]

    /// The charsets that a country's stations are written in when Latin-1 does not speak against it.
    static func usual(in country: String?) -> SingleByteCharset? {
        switch country?.uppercased() {
        case "PL", "CZ", "SK", "HU", "SI", "HR", "BA", "RS", "ME", "RO", "MD", "AL": .windows1250
        case "TR", "AZ": .windows1254
        case "LT", "LV", "EE": .windows1257
        default: nil
        }
    }
}
