/// How often the letters of a script are used, to tell text in it from the same bytes read with a wrong table.
struct AlphabetModel: Sendable {
    struct Table: Sendable {
        let charset: SingleByteCharset
        /// What has to speak for it in advance, as a logarithm: nobody puts a station on air in MacCyrillic.
        let doubt: Double
        /// Fewer letters than this do not make anybody believe it.
        var fewest: Int { doubt > 2 ? 12 : 4 }
    }

    let tables: [Table]
    /// Natural logarithm of each small letter's share, and of nothing else.
    private let shares: [Unicode.Scalar: Double]

    /// The share of a letter that the table leaves out, as little as makes no table certain.
    private static let rare = 0.0002

    /// - Parameter perMille: `о110 е85 …`, small letters with their share of a text.
    private init(_ perMille: String, _ tables: [(SingleByteCharset, Double)]) {
        var shares: [Unicode.Scalar: Double] = [:]
        for word in perMille.split(separator: " ") {
            guard let letter = word.unicodeScalars.first, let share = Double(word.dropFirst()) else {
                continue
            }
            shares[letter] = Self.logarithm(max(share / 1000, Self.rare))
        }
        self.shares = shares
        self.tables = tables.map(Table.init)
    }

    /// The logarithm of a letter's share; nil for what is no letter of the script. Capitals count as their small ones.
    func share(_ scalar: Unicode.Scalar) -> Double? {
        shares[scalar] ?? scalar.properties.lowercaseMapping.unicodeScalars.first.flatMap { shares[$0] }
    }

    /// ln x for x in (0, 1]: this room has no mathematics library, and needs no more than this at start.
    private static func logarithm(_ value: Double) -> Double {
        var mantissa = value.significand
        var result = Double(value.exponent) * 0.693_147_180_559_945_3
        // ln m = 2·artanh((m − 1) / (m + 1)), which converges at once for m in [1, 2).
        mantissa = (mantissa - 1) / (mantissa + 1)
        var power = mantissa
        for divisor in stride(from: 1.0, through: 15, by: 2) {
            result += 2 * power / divisor
            power *= mantissa * mantissa
        }
        return result
    }

    static let all = [cyrillic, greek, hebrew, arabic]

    /// Russian, with the letters of the other Slavic languages as seldom ones.
    static let cyrillic = AlphabetModel(
        """
        о107 е82 а80 и73 н65 т60 с53 р47 в44 л43 к35 м32 д30 п28 у26 я20 ы17 ь16 г17 з16 б16 ч14 й12 х10 ж9 ш7 ю6 ц5 щ4 \
        э3 ф3 ъ4 ё2 і25 ї4 є4 ґ1 ў1 ј15 љ3 њ3 ћ4 ђ3 џ1 ѓ1 ќ1 ѕ1
        """,
        [(.windows1251, 0), (.koi8r, 1), (.koi8u, 1.5), (.iso88595, 3), (.ibm866, 4), (.macCyrillic, 8)])

    static let greek = AlphabetModel(
        """
        α96 ο80 ι65 ε65 τ75 ν62 σ45 ς38 η40 ρ43 π40 κ39 υ34 μ33 λ28 ά21 ί20 ό18 έ17 ω16 δ16 γ17 ή16 θ11 ύ9 ώ9 χ11 φ8 β7 \
        ξ4 ζ4 ψ2 ϊ1 ϋ1 ΐ1 ΰ1
        """,
        [(.windows1253, 0), (.iso88597, 1)])

    static let hebrew = AlphabetModel(
        """
        י110 ו105 ה95 ל70 א63 ר60 ת55 ש50 מ47 ב48 ם28 נ30 ן14 ד28 ע30 ח25 ק21 פ20 כ24 צ12 ג14 ט13 ס15 ז12 ך9 ף3 ץ3
        """,
        [(.windows1255, 0), (.iso88598, 3)])

    static let arabic = AlphabetModel(
        """
        ا125 ل110 ي70 م62 و60 ن58 ر52 ت45 ة28 ب42 ع34 د34 س29 ف28 ه30 ك24 ق23 أ25 ح21 ج14 ش14 ص11 ط10 خ10 ى9 إ8 ض7 ذ7 \
        ث6 ز7 غ5 ئ4 ء5 ؤ2 ظ2 آ3 پ3 چ2 ژ1 گ4 ک3
        """,
        [(.windows1256, 0), (.iso88596, 3)])
}
