import CairnCore
import CairnSQLite
import CairnStore
import CairnTesting
import Testing

@Suite struct `Durability` {
  @Test func `what was answered is there after the process was killed`() throws {
    let database = try TemporaryDatabase()
    let bench = try StoreBench(try database.open())
    defer { bench.store.stop() }
    try bench.create("a", label: "mine")
    for page in 1...20 { try bench.post(Trial.page(page), to: "a") }
    let before = try bench.session("a")

    let left = try database.crashed()
    let again = try StoreBench(try left.open())
    defer { again.store.stop() }
    let after = try again.session("a")
    #expect(after.state == before.state)
    #expect(after.pages == Array(0...20))
    #expect(after.label == "mine")
    #expect(try again.history(of: "a").items.map(\.entry.revision) == Array(1...21))
    #expect(try again.session("a", at: 3).pages == [0, 1, 2])
    try again.post(Trial.page(21), to: "a")
    #expect(try again.session("a").state.revision == 22)
  }
}
