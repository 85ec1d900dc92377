import CairnCore
import CairnStore
import CairnTesting
import Testing

@Suite struct `Writing` {
  let journal = MemoryJournal()

  @Test func `a session starts with entry 1 and goes on by one for each action`() throws {
    let bench = try StoreBench(journal)
    defer { bench.store.stop() }
    let created = try bench.create("a")
    #expect(created.performed.revision == 1)
    #expect(created.session.pages == [0])
    let posted = try bench.post(Trial.page(1), Trial.page(2), to: "a")
    #expect(posted.performed.map(\.revision) == [2, 3])
    #expect(posted.session.pages == [0, 1, 2])
    #expect(try bench.session("a").pages == [0, 1, 2])
    #expect(try bench.session("a").state.revision == 3)
  }
}
