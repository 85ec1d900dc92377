import CairnCore
import CairnJournal
import Foundation
import Testing

@testable import CairnPostgres

/// The pages of entries that each released version has stored in PostgreSQL (Tests/formats). The samples never change.
@Suite struct `Pages of released versions` {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appending(path: "formats")

  private static let versions: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { FileManager.default.fileExists(atPath: folder.appending(path: "\($0)/page.bin").path) }.sorted()
  }()

  @Test(arguments: versions) func `a page is read, and is written with the same bytes`(version: String) throws {
    let remedy: Comment = "a page of \(version) changed: give the new form a new number, and keep reading the old one; see docs/versions.md"
    let page = Array(try Data(contentsOf: Self.folder.appending(path: "\(version)/page.bin")))
    let entries = try PageFormat.entries(page)
    #expect(entries.count > 2 && entries.map(\.entry.revision) == Array(1...max(1, entries.count)), remedy)
    // The first entry has all optional members.
    let first = try #require(entries.first)
    #expect(
      first.definition != nil && first.label == "a label" && first.due == 2_000_000_000_000 && first.entry.request == "a-request", remedy)
    var state = StateFormat.empty
    for entry in entries { try StateFormat.apply(entry.difference, to: &state) }
    #expect(state.revision == entries.count, remedy)
    if page.first == PageFormat.version { #expect(PageFormat.bytes(entries) == page, remedy) }
  }

  @Test func `version 0.1 has a sample`() {
    #expect(Self.versions.first == "0.1")
  }
}
