import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `Failed start of the store` {
  @Test(arguments: ["cairn-reader-1", "cairn-feed", "cairn-expiry", "cairn-sampler"])
  func `a store that cannot start a later thread stops the earlier ones`(thread: String) throws {
    var store: Store? = Store(
      journal: MemoryJournal(), outbound: StubOutbound(), definitions: { try Trial.read($0) }, nonce: { "nonce" })
    weak let readers = store?.readers
    NamedThread.$isRefused.withValue({ $0 == thread }) {
      #expect(throws: Store.StartError.self) { try store?.start() }
    }
    #expect(store?.figures.isAccepting == false)
    store = nil
    // Every thread holds a reference to the readers, so a remaining thread would keep them.
    #expect(readers == nil)
  }
}
