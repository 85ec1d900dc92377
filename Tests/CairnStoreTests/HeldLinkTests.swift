import CairnCore
import CairnStore
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Held links in the store` {
  @Test func `each held link is dropped at its own deadline with its own entry, also across a restart`() throws {
    let journal = MemoryJournal()
    var bench = try StoreBench(journal)
    try bench.create("a")
    try bench.post(.open(url: "trial://held?n=1"), to: "a")
    bench.clock.advance(by: 4_000)
    try bench.post(.open(url: "trial://held?n=2"), to: "a")
    #expect(try bench.session("a").state.pendingLinks.map(\.id.number) == [1, 2])
    bench.store.stop()
    journal.reopen()
    bench = try StoreBench(journal, clock: bench.clock)
    defer { bench.store.stop() }
    #expect(try bench.session("a").state.pendingLinks.map(\.url) == ["trial://held?n=1", "trial://held?n=2"])
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
}
