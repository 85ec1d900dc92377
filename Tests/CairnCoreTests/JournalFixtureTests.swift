import CairnCore
import CairnDefinition
import CairnTesting
import Testing

@Suite struct `Old journals` {
  @Test func `the fixtures exist`() {
    #expect(JournalFixture.names.count >= 4)
  }

  /// A reducer with other results would change the past of every session. Add a fixture for new behaviour, and never edit an old fixture.
  @Test(arguments: JournalFixture.names) func `an old journal gives its recorded state`(name: String) throws {
    let fixture = try JournalFixture(name)
    let reducer = Reducer(try DefinitionLoader.load(canonical: fixture.definition).definition)
    let first = try #require(fixture.entries.first)
    guard case .creation(let creation) = first.cause else {
      Issue.record("the first entry is no creation")
      return
    }
    var state = try reducer.create(creation, stamp: first.stamp).state
    for entry in fixture.entries.dropFirst() {
      guard case .action(let action) = entry.cause else {
        Issue.record("entry \(entry.revision) is no action")
        continue
      }
      _ = try reducer.reduce(&state, action, stamp: entry.stamp)
      #expect(state.revision == entry.revision)
    }
    // The recorded states do not contain the number of held links.
    var kept = fixture.state
    kept.nextLink = state.nextLink
    #expect(state == kept)
  }
}
