/// How one station's titles are read: what a person may write down for it, in words rather than in a pattern language.
///
/// Everywhere a *pattern* is asked for, it is plain text, compared without regard to case; `*` stands for anything. A
/// pattern without `*` has to be found somewhere in the title. `docs/titles.md` explains each of them.
package struct TitleRules: Sendable, Hashable {
    /// Words to take off the front of each title: `Now playing: `, `On air - `.
    package var stripPrefixes: [String] = []
    /// Words to take off the end of each title: ` | Radio One`.
    package var stripSuffixes: [String] = []
    /// Between artist and title, the first one that is found counts. Blanks matter.
    package var separators: [String] = [" - ", " – ", " — "]
    /// The station sends `Title - Artist`.
    package var swapsArtistAndTitle = false
    /// The station never sends an artist: titles are not split.
    package var keepsWhole = false
    /// Patterns of adverts.
    package var adverts: [String] = []
    /// Patterns of announcements of the station about itself: slogans, jingles.
    package var idents: [String] = []
    /// Patterns of talk: news, traffic, shows.
    package var talk: [String] = []
    /// Patterns of titles that say nothing: they count as no title.
    package var nothing: [String] = []
    /// Patterns of titles that are tracks whatever else they look like. They win over all others.
    package var tracks: [String] = []
    /// Also use the built-in tables of words (`TitleWordTable`).
    package var usesBuiltInWords = true
    /// Seconds by which a title comes before (positive) or after (negative) the audio it names.
    package var offset: Duration = .zero

    package init() {}
}
