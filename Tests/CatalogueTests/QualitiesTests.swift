import StreamFormats
import TestPrograms
import Testing

@testable import Catalogue

@Suite("Qualities of a programme")
struct QualitiesTests {
    private func catalogue(_ scratch: TemporaryFolder, _ tables: [String]) throws -> StationCatalogue {
        try scratch.write("base/a.toml", tables.joined())
        return try StationCatalogue(folders: [scratch.path + "/base"])
    }

    private func found(_ catalogue: StationCatalogue, _ id: String) throws -> [String] {
        try catalogue.qualities(of: catalogue.resolve(id)).map(\.id)
    }

    @Test("are stations of one name and country, quality words apart, by falling bit rate")
    func byName() throws {
        let scratch = try TemporaryFolder()
        let german = "country = \"DE\"\nbitrate = "
        let catalogue = try catalogue(
            scratch,
            [
                table("groove-low", "Groove Salad (32 kbit/s AAC+)", more: german + "32"),
                table("groove", "Groove Salad", more: german + "256"),
                table("groove-mid", "Groove Salad 128k MP3", more: german + "128"),
                table("groove-unknown", "GROOVE SALAD HQ", more: "country = \"DE\""),
                table("groove-fr", "Groove Salad 64k", more: "country = \"FR\"\nbitrate = 64"),
                table("groove-classic", "Groove Salad Classic 64k", more: german + "64"),
            ])
        for id in ["groove", "groove-low", "groove-mid", "groove-unknown"] {
            #expect(try found(catalogue, id) == ["groove", "groove-mid", "groove-low", "groove-unknown"])
        }
        #expect(try found(catalogue, "groove-fr") == ["groove-fr"])
    }

    @Test("a number that is no bit rate is part of the name")
    func numbers() throws {
        let scratch = try TemporaryFolder()
        let catalogue = try catalogue(
            scratch,
            [table("radio-2", "Radio 2"), table("radio-1", "Radio 1"), table("radio-2-low", "Radio 2 64k")])
        #expect(Set(try found(catalogue, "radio-2")) == ["radio-2", "radio-2-low"])
        #expect(try found(catalogue, "radio-1") == ["radio-1"])
    }

    @Test("a name that says nothing but a quality has no other qualities")
    func nameless() throws {
        let scratch = try TemporaryFolder()
        let catalogue = try catalogue(scratch, [table("a", "128k"), table("b", "64k MP3")])
        #expect(try found(catalogue, "a") == ["a"])
    }

    @Test("what a station file says about them wins over names")
    func told() throws {
        let scratch = try TemporaryFolder()
        let catalogue = try catalogue(
            scratch,
            [
                table("one", "Deutschlandfunk", more: "programme = \"dlf\"\nbitrate = 128"),
                table("two", "DLF mobil", more: "programme = \"DLF\"\nbitrate = 48"),
                table("three", "Deutschlandfunk 64k", more: "bitrate = 64"),
            ])
        #expect(try found(catalogue, "two") == ["one", "two"])
        #expect(try found(catalogue, "three") == ["three"])
    }
}
