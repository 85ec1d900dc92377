import CairnCore
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Held links in the store` {
  @Test func `each goes when its own time is over, across a restart, by an entry of its own`() throws {
    let journal = MemoryJournal()
    var bench = try StoreBench(journal)
    try bench.create("a")
    try bench.post(.open(url: "trial://held?1"), to: "a")
    bench.clock.advance(by: 4_000)
    try bench.post(.open(url: "trial://held?2"), to: "a")
    #expect(try bench.session("a").state.pendingLinks.map(\.id.number) == [1, 2])
    bench.store.stop()
    journal.reopen()
    bench = try StoreBench(journal, clock: bench.clock)
    defer { bench.store.stop() }
    #expect(try bench.session("a").state.pendingLinks.map(\.url) == ["trial://held?1", "trial://held?2"])
    bench.clock.advance(by: 6_000)
    try bench.settle()
    #expect(try bench.session("a").state.pendingLinks.map(\.id.number) == [2])
    bench.clock.advance(by: 4_000)
    try bench.settle()
    #expect(try bench.session("a").state.pendingLinks == [])
    #expect(
      try bench.history(of: "a").items.suffix(2).map(\.entry.cause) == [
        .action(.effect(id: Effect.end(of: LinkID(1)), .due(tick: 1))), .action(.effect(id: Effect.end(of: LinkID(2)), .due(tick: 1))),
      ])
  }

  @Test func `the one link of a database of before is the first of them`() throws {
    let old = Array(#"{"r":3,"p":{"url":"x://go","until":7}}"#.utf8)
    let state = try StateFormat.state(old, version: StateFormat.version)
    #expect(state.pendingLinks == [PendingLink(id: LinkID(1), url: "x://go", until: 7)] && state.nextLink == 2)
    var gone = state
    try StateFormat.apply(Array(#"{"p":null}"#.utf8), to: &gone)
    #expect(gone.pendingLinks == [] && gone.nextLink == 2)
    let first = Array(#"{"revision":1,"pendingLink":{"url":"u","until":1}}"#.utf8)
    #expect(try StateFormat.state(first, version: 1).pendingLinks.map(\.id) == [LinkID(1)])
  }
}
