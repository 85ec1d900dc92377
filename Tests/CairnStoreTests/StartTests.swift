import CairnRuntime
import CairnTesting
import Testing

@testable import CairnStore

@Suite struct `A start that fails` {
  @Test(arguments: ["cairn-reader-1", "cairn-feed", "cairn-expiry", "cairn-sampler"])
  func `undoes what it began when the machine refuses a later thread (D23)`(thread: String) throws {
    var store: Store? = Store(
      journal: MemoryJournal(), outbound: StubOutbound(), definitions: { try Trial.read($0) }, nonce: { "nonce" })
    weak let readers = store?.readers
    NamedThread.$isRefused.withValue({ $0 == thread }) {
      #expect(throws: Store.StartError.self) { try store?.start() }
    }
    #expect(store?.figures.isAccepting == false)
    store = nil
    // Every thread holds what it serves, so none is left.
    #expect(readers == nil)
  }
}
