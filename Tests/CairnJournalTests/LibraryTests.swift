import CairnJournal
import CairnTesting
import Testing

@Suite struct `Definitions in memory` {
  @Test func `definitions in memory are bounded by their bytes, and a dropped definition is read again`() throws {
    let journal = MemoryJournal()
    let library = DefinitionLibrary(limit: 2_000, read: { try Trial.read($0) })
    let all = (1...500).map { Trial.pinned("app\($0)") }
    try journal.writer.commit(JournalBatch(definitions: Dictionary(uniqueKeysWithValues: all.map { ($0.hash, $0.text) })))
    for definition in all {
      library.remember(definition, for: journal)
      #expect(library.size.bytes <= 2_000)
    }
    #expect((10...200).contains(library.size.count))
    #expect(try library.definition(all[0].hash, in: journal).text == all[0].text)
    #expect(try library.definition(all[499].hash, in: journal) === all[499])
  }
}
