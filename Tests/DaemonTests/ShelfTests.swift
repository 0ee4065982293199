import Household
import JSONText
import Platform
import Store
import TestPrograms
import Testing

@Suite("What the house keeps")
struct ShelfTests {
    @Test("every logger that somebody has begun is there after a restart, also of more than a hundred")
    func loggers() throws {
        let folder = try TemporaryFolder("shelf")
        func opened() throws -> (Database, Shelf) {
            let database = try Database.open(folder.path("a.db"), schemas: [Shelf.schema])
            return (database, try Shelf(database))
        }
        let (database, shelf) = try opened()
        for number in 0..<300 { shelf.put(.logger, "\(number)", ["station": .string("s\(number)")]) }
        database.close()
        let (again, read) = try opened()
        #expect(read.all(.logger).count == 300)
        again.close()
    }
}
