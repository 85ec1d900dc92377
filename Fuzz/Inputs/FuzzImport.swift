import CairnAPI
import CairnCore
import CairnDefinition
import CairnJournal
import CairnStore
import CairnTesting

/// Complete session files from unknown sources. Each file is refused, or gives a session that can be used like any other.
enum FuzzImport {
  /// The input is a file without its last line. The last line is added, so that a changed file is not refused because of its SHA-256.
  static func importing(_ bytes: [UInt8]) -> [String] {
    guard let store else { return ["the store does not start"] }
    let end = Array(#"{"end":1,"sha256":""}"#.utf8) + [UInt8(ascii: "\n")]
    let file = bytes.last == UInt8(ascii: "\n") || bytes.isEmpty ? bytes + end : bytes + [UInt8(ascii: "\n")] + end
    let importChecks = ImportChecks(
      definition: { _ in nil }, line: { CreationRequest.fault(ofLabel: $0) }, session: { _ in nil }, author: { _ in nil },
      request: { _ in nil })
    let read: Result<ImportedSession, StoreFault>? = try? awaiting { reply in
      store.read(
        file, SessionFile.Crypto(digest: { _ in [] }), id: "fuzz", secretHash: [], label: nil, origin: EntryOrigin(), through: importChecks,
        reply: reply)
    }
    guard case .success(let imported)? = read else { return [] }
    return promises(imported.session)
  }

  /// An empty store in memory, which loads any definition from its canonical text.
  private static let store: Store? = {
    let store = Store(
      journal: MemoryJournal(), outbound: StubOutbound(), clock: ManualClock(),
      definitions: { text in
        let loaded = try DefinitionLoader.load(canonical: text)
        return PinnedDefinition(hash: loaded.hash, text: loaded.canonical, definition: loaded.definition)
      }, migrations: Trial.migrator, nonce: { "nonce" })
    return (try? store.start()) == nil ? nil : store
  }()

  private static func promises(_ session: Session) -> [String] {
    var broken = session.state.faults
    let reducer = session.definition.reducer
    let body = SessionBody(
      id: session.id, app: session.app, definition: session.definition.hash, label: session.label, createdAt: session.createdAt,
      updatedAt: session.updatedAt, state: session.state, reducer: reducer)
    _ = try? JSONText.bytes(body)
    for command in commands {
      var state = session.state
      var meter = Meter(Bounds())
      if case .advance(let time) = command {
        _ = try? reducer.advance(&state, by: time, nonce: "fuzz", meter: &meter) { _, _, _ in }
      } else if let sealed = try? reducer.seal(command, for: state) {
        _ = try? reducer.reduce(&state, sealed.action, stamp: session.stamp(session.updatedAt, "fuzz"), meter: &meter)
      }
      _ = reducer.tree(of: state)
      _ = reducer.accepts(state)
      if !state.faults.isEmpty { broken.append("an action leads to an inconsistent state: \(state.faults[0])") }
      if (try? StateFormat.state(StateFormat.snapshot(state), version: StateFormat.version)) != state {
        broken.append("a state is written as another")
      }
    }
    return broken
  }

  private static let commands: [Command] =
    [.advance(by: 10_000), .advance(by: 1_000_000_000), .token("t"), .open(url: "fuzz://detail/1")]
    + ["go", "close", "finish", "onward", "ask", "count"].map { .action(.step(Step($0), from: nil)) }
    + [.action(.back), .action(.appState(.background)), .action(.logout)]
}
