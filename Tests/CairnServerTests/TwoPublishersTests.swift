import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore
import CairnTesting
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Two nodes that publish definitions` {
  /// A node with its own store and publisher.
  private final class Node: Sendable {
    let catalog = Catalog()
    let store: Store
    let publisher: Publisher

    init(_ journal: JournalHandle.Shared, starts: Bool = false) throws {
      store = Store(
        journal: JournalHandle(journal), outbound: StubOutbound(),
        definitions: { PinnedDefinition(stored: try DefinitionLoader.load(canonical: $0)) },
        nonce: Identity.nonce)
      try store.start()
      publisher = Publisher(catalog, store, Settings(), Workshop.logger(Lines()))
      if starts { try publisher.beginShared() }
    }

    deinit {
      publisher.stop()
      store.stop()
    }

    /// The status of the response to a put, and its `ETag`. `match` is the value of `If-Match`.
    func put(_ step: String, match: String? = nil) throws -> (status: Int, tag: String) {
      let text = """
        app: note
        language: 1
        root: { flow: main }
        screens: { page: { emits: [\(step)] } }
        steps: { \(step): }
        flows: { main: { stack: page, handle: { \(step): { push: page } } } }
        """
      let result = try awaiting { reply in
        publisher.put(
          PutDefinition(
            app: "note", text: text, author: "alice", match: match.flatMap { EntityTags([$0]) }, noneMatch: nil, requestID: "r",
            reply: reply))
      }
      switch result {
      case .success(let done): return (200, "\"\(done.definition.hash)\"")
      case .failure(let rejection): return (rejection.problem.status, "\(rejection.headers)")
      }
    }
  }

  private func nodes() throws -> (a: Node, b: Node) {
    let journal = JournalHandle.Shared(MemoryJournal(isShared: true))
    return (try Node(journal), try Node(journal))
  }

  @Test func `a condition is checked against the definition that another node has published`() throws {
    let (a, b) = try nodes()
    let first = try a.put("one").tag
    let second = try b.put("two", match: first)
    #expect(second.status == 200)
    #expect(try a.put("three", match: first).status == 412)
    #expect(try a.put("three", match: second.tag).status == 200)
  }

  @Test func `of two puts with one condition at two nodes at once, exactly one is performed`() throws {
    let (a, b) = try nodes()
    var tag = try a.put("begin").tag
    for round in 1...20 {
      let results = Monitor<[(status: Int, tag: String)]>([])
      let threads = try [a, b].enumerated().map { index, node in
        try NamedThread("put") { [tag] in
          guard let result = try? node.put("step\(index)x\(round)", match: tag) else { return }
          results.change { $0.append(result) }
        }
      }
      for thread in threads { thread.join() }
      let both = results.withLock { $0 }
      #expect(both.map(\.status).sorted() == [200, 412])
      tag = both.first { $0.status == 200 }?.tag ?? tag
    }
    let versions = try awaiting { a.store.releases.versions(of: "note", reply: $0) }.get()
    #expect(versions.editions.count == 21)
  }

  @Test func `an edition that cannot be read refuses its app at each node, until an operator puts a definition`() throws {
    let memory = MemoryJournal(isShared: true)
    let journal = JournalHandle.Shared(memory)
    let a = try Node(journal)
    let tag = try a.put("one").tag
    memory.damageEdition(of: "note")
    let b = try Node(journal, starts: true)
    #expect(b.publisher.refused == ["note"])
    #expect(try b.put("two", match: tag).status == 412)
    #expect(try b.put("two").status == 200 && b.publisher.refused == [])
    // Another fault: the edition is intact, but its definition is missing.
    let missing = Edition(app: "note", definition: String(repeating: "ab", count: 32), since: 9, author: "eve")
    let known = try [memory.editions().edition(of: "note")].compactMap { $0 }.map { ("note", $0) }
    _ = try awaiting { a.store.releases.publish([missing], texts: [:], after: Dictionary(uniqueKeysWithValues: known), reply: $0) }.get()
    let c = try Node(journal, starts: true)
    #expect(c.publisher.refused == ["note"] && c.catalog["note"] == nil)
    #expect(try c.put("three").status == 200 && c.publisher.refused == [])
  }

  @Test func `a put without a condition replaces the definition of another node`() throws {
    let (a, b) = try nodes()
    _ = try a.put("one")
    let two = try b.put("two")
    #expect(two.status == 200 && b.catalog["note"].map { "\"\($0.hash)\"" } == two.tag)
    #expect(try a.put("one").status == 200)
    let versions = try awaiting { a.store.releases.versions(of: "note", reply: $0) }.get()
    #expect(versions.editions.count == 3)
  }
}
