import Household
import JSONText
import Store
import TestPrograms
import Testing

@testable import AircheckDaemon

@Suite("Decisions against the settings")
struct DecisionTests {
    @Test("a decision holds at once and after a restart, until it is taken back")
    func life() throws {
        let folder = try TemporaryFolder("decision")
        let path = folder.path("shelf.db")
        func guests(_ shelf: Shelf) -> Decision<Bool> {
            Decision("guests", on: shelf, standard: false, read: \.bool, write: JSONValue.bool)
        }
        func output(_ shelf: Shelf) -> Decision<String> {
            Decision("output", on: shelf, standard: "hall", read: \.string, write: JSONValue.string)
        }
        var database = try Database.open(path, schemas: [Shelf.schema])
        var shelf = try Shelf(database)
        #expect(!guests(shelf).value && guests(shelf).decision == nil && output(shelf).device == "hall")
        guests(shelf).decide(true)
        output(shelf).decide("")
        database.close()
        database = try Database.open(path, schemas: [Shelf.schema])
        shelf = try Shelf(database)
        let again = (guests(shelf), output(shelf))
        #expect(again.0.value && again.0.decision == true)
        #expect(again.1.device == nil && again.1.decision == "")
        again.0.decide(nil)
        again.1.decide(nil)
        #expect(!again.0.value && again.0.decision == nil && again.1.device == "hall")
        #expect(!guests(shelf).value && output(shelf).decision == nil)
        database.close()
    }
}
