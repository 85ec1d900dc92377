import CairnCore
import CairnRuntime

/// Ends the sessions that a query finds, a few in each commit, so that other requests have their turn in between. After a failure the
/// response counts the sessions ended so far; a repeated request finds the rest.
final class Ending: Sendable {
  private struct Progress {
    var query: SessionQuery
    /// Sessions that may still be ended.
    var left: Int
    var ended = 0
    var steps = 0
    // Of the slice that is under way.
    var waiting = 0
    var next: String?
    var fault: StoreFault?
  }

  private let parts: StoreParts
  private let readers: Readers
  private let isExpiry: Bool
  private let key: String
  private let ended: @Sendable (String) -> Void
  private let reply: Reply<Ended>
  private let progress: Lock<Progress>

  /// Sessions that are ended in one slice.
  private static let slice = 64
  /// Slices in an answer at most, those that find little too.
  private static let most = 256

  /// Ends at most `query.limit`. `isExpiry`: only those that have expired by then. `ended` gets the id of each session that
  /// was ended, on the writer's thread, before the reply.
  init(
    _ query: SessionQuery, isExpiry: Bool, _ parts: StoreParts, _ readers: Readers, ended: @escaping @Sendable (String) -> Void = { _ in },
    _ reply: @escaping Reply<Ended>
  ) {
    self.ended = ended
    self.parts = parts
    self.readers = readers
    self.isExpiry = isExpiry
    key = isExpiry ? "expiry" : "ending"
    self.reply = reply
    progress = Lock(Progress(query: query, left: query.limit))
  }

  /// Looks for the next slice.
  func goOn() {
    let query = progress.withLock { progress in
      progress.steps += 1
      var query = progress.query
      query.limit = min(Self.slice, progress.left)
      return query
    }
    let read = SingleRead { parts throws(StoreFault) in try parts.page(query) }
    let fault = readers.offer(read, .list, key, parts) { result in
      switch result {
      case .success(let page): self.end(page)
      case .failure(let fault): self.stop(fault)
      }
    }
    if let fault { stop(fault) }
  }

  private func end(_ page: SessionPage) {
    progress.withLock { progress in
      progress.next = page.next
      // One more than there are, so that the last of them goes on after all were asked for.
      progress.waiting = page.ids.count + 1
    }
    for id in page.ids {
      let reply: Reply<Void> = { result in
        if case .success = result { self.ended(id) }
        self.finish(result)
      }
      let message: Message = isExpiry ? .expire(session: id, reply) : .delete(session: id, matching: nil, reply)
      if let fault = parts.mailbox.offer(message) { reply(.failure(fault)) }
    }
    finish(nil)
  }

  private func finish(_ result: Result<Void, StoreFault>?) {
    enum Following { case wait, goOn, answer(Result<Ended, StoreFault>) }
    let following = progress.withLock { progress -> Following in
      switch result {
      case .success?:
        progress.ended += 1
        progress.left -= 1
      // Another caller has ended it, or used it again.
      case .failure(.unknownSession)?, .failure(.conflict)?, nil: break
      case .failure(let fault)?: progress.fault = fault
      }
      progress.waiting -= 1
      guard progress.waiting == 0 else { return .wait }
      if let fault = progress.fault {
        // A repeated request finds the rest of this slice again.
        return .answer(progress.ended > 0 ? .success(Ended(count: progress.ended, next: progress.query.after ?? "")) : .failure(fault))
      }
      progress.query.after = progress.next
      guard progress.next != nil, progress.left > 0, progress.steps < Self.most else {
        return .answer(.success(Ended(count: progress.ended, next: progress.next)))
      }
      return .goOn
    }
    switch following {
    case .wait: break
    case .goOn: goOn()
    case .answer(let result): reply(result)
    }
  }

  private func stop(_ fault: StoreFault) {
    let (count, after) = progress.withLock { ($0.ended, $0.query.after) }
    reply(count > 0 ? .success(Ended(count: count, next: after ?? "")) : .failure(fault))
  }
}

extension Store {
  /// Ends the sessions that a query finds, at most as many as its limit says. `ended` gets the id of each session that was ended, before the
  /// reply.
  package func end(
    _ query: SessionQuery, ended: @escaping @Sendable (String) -> Void = { _ in },
    reply: @escaping @Sendable (Result<Ended, StoreFault>) -> Void
  ) {
    Ending(query, isExpiry: false, parts, readers, ended: ended, reply).goOn()
  }
}
