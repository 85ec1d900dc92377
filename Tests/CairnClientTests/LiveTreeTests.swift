import CairnCore
import Foundation
import Testing

@testable import CairnClient

@Suite struct `Applying changes to a tree` {
  private func decoded<Body: Decodable>(_ text: String) throws -> Body { try JSONDecoder().decode(Body.self, from: Data(text.utf8)) }

  private func start(_ revision: Int = 3) throws -> LiveTree {
    LiveTree(
      try decoded(
        #"{"id":"s1","app":"a","definition":"d","revision":\#(revision),"facts":{},"login":{"status":"loggedOut"},"#
          + #""accepts":{"steps":[],"primitives":[]},"pending":[],"createdAt":"2026-01-01T00:00:00.000Z","#
          + #""updatedAt":"2026-01-01T00:00:00.000Z","stack":[],"visible":null,"#
          + #""tree":{"id":"n1","kind":"stack","name":"main","children":[{"id":"n2","kind":"screen","name":"home"}]}}"#))
  }

  private func entry(_ revision: Int, _ changes: String) throws -> HistoryEntry {
    try decoded(
      #"{"revision":\#(revision),"at":"2026-01-01T00:00:00.000Z","cause":{"type":"back"},"outcome":"performed","changes":[\#(changes)]}"#)
  }

  private let push = #"{"op":"push","in":"n1","node":{"id":"n3","kind":"screen","name":"detail"}}"#

  @Test func `the changes of the next revision are applied`() throws {
    var live = try start()
    #expect(try live.play(entry(4, push)))
    #expect(live.revision == 4 && live.tree.sketch == "main[home, detail]")
  }

  @Test func `a revision without changes counts`() throws {
    var live = try start()
    #expect(try live.play(entry(4, "")))
    #expect(live.revision == 4 && live.tree.sketch == "main[home]")
  }

  @Test func `a revision that was applied already is skipped`() throws {
    var live = try start()
    for revision in [1, 3] { #expect(try live.play(entry(revision, push))) }
    #expect(try live == start())
  }

  @Test func `a gap leaves the tree unchanged`() throws {
    var live = try start()
    #expect(try !live.play(entry(5, push)))
    #expect(try live == start())
  }

  @Test func `changes that do not fit leave the tree unchanged, also if the first ones fit`() throws {
    var live = try start()
    #expect(try !live.play(entry(4, push + #",{"op":"pop","in":"n1","to":"n9"}"#)))
    #expect(try live == start())
  }
}
