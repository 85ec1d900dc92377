import CairnCore
import CairnDefinition
import CairnTesting
import Foundation
import Testing

/// A journal as an earlier version wrote it: the definition it was pinned to, its entries, the state they made.
private struct JournalFixture: Codable {
  var definition: String
  var entries: [Entry]
  var state: State

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Journals")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".json") }.sorted()

  static func read(_ name: String) throws -> JournalFixture {
    try JSONDecoder().decode(JournalFixture.self, from: Data(contentsOf: folder.appending(path: name)))
  }
}

@Suite struct `Old journals` {
  @Test func `there are some`() {
    #expect(JournalFixture.names.count >= 4)
  }

  /// A reducer that changes its mind changes the past of every session. Add a fixture for what is new; never mend an old one.
  @Test(arguments: JournalFixture.names) func `give the state that they gave`(name: String) throws {
    let fixture = try JournalFixture.read(name)
    let reducer = Reducer(try DefinitionLoader.load(canonical: fixture.definition).definition)
    let first = try #require(fixture.entries.first)
    guard case .creation(let creation) = first.cause else {
      Issue.record("the first entry is no creation")
      return
    }
    var state = try reducer.create(creation, stamp: first.stamp).state
    for entry in fixture.entries.dropFirst() {
      guard case .action(let action) = entry.cause else { continue }
      _ = try reducer.reduce(&state, action, stamp: entry.stamp)
      #expect(state.revision == entry.revision)
    }
    // What was kept then does not say how many links were held.
    var kept = fixture.state
    kept.nextLink = state.nextLink
    #expect(state == kept)
  }
}
