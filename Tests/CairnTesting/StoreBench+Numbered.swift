package import CairnCore
import CairnJournal
import CairnStore

extension StoreBench {
  /// Posts numbered actions of a client, beginning with the number `first`.
  package func post(_ commands: Command..., numberedFrom first: Int, of client: String, to session: String) throws {
    let actions = commands.enumerated().map { index, command in
      NumberedAction(command, number: WideInt(first + index), print: Fingerprint([UInt8(truncatingIfNeeded: first + index)]))
    }
    let post = NumberedPost(
      actions, of: client, madeFor: nil, to: session, origin: EntryOrigin(),
      key: { Fingerprint([9, UInt8(truncatingIfNeeded: $0)]) },
      render: { result, _, number, _ in
        RenderedAnswer(status: 200, head: "", body: Array("\(number) \((try? result.get()) == nil ? "refused" : "ran")".utf8))
      }, created: { _ in [] })
    _ = try awaiting { self.store.post(post, reply: $0) }.get()
  }
}
