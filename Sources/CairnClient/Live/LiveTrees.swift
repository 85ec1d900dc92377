/// The tree of a session after each change, as the changes happen. The sequence applies each change to the tree, and reads the session
/// again if a change cannot be applied.
public struct LiveTrees: AsyncSequence, Sendable {
  public typealias Element = LiveTree
  public typealias Failure = ClientError

  let session: SessionClient

  public func makeAsyncIterator() -> Iterator { Iterator(session: session, changes: session.changes.makeAsyncIterator()) }

  /// The iterator of the trees. Only one task may use it.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = ClientError

    let session: SessionClient
    var changes: SessionChanges.Iterator
    var live: LiveTree?

    public mutating func next() async throws(ClientError) -> LiveTree? {
      while let event = try await changes.next() {
        switch event {
        case .connected, .interrupted, .ended: continue
        case .reset(let session): live = LiveTree(session)
        case .change(let entry):
          if let revision = live?.revision, entry.revision <= revision { continue }
          if live?.play(entry) != true { live = LiveTree(try await session.session()) }
        }
        return live
      }
      return nil
    }
  }
}

extension SessionClient {
  /// The current tree, and the tree after each change.
  public var trees: LiveTrees { LiveTrees(session: self) }
}
