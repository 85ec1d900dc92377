import CairnCore
package import CairnJournal
import CairnRuntime

/// Ends the sessions that match a query, a few per commit, so that other requests are not delayed. After a failure, the reply contains the
/// number of sessions ended so far, or the fault if none has been ended. A repeated request ends the rest.
final class Ending: Sendable {
  private struct Progress {
    var query: SessionQuery
    /// The number of sessions that may still be ended.
    var left: Int
    var ended = 0
    var steps = 0
    // The progress of the current slice.
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

  /// The number of sessions per slice.
  private static let slice = 64
  /// The maximum number of slices per response, including slices that find few sessions.
  private static let most = 256

  /// Creates a request to end at most `query.limit` sessions; `goOn` starts it. If `isExpiry` is set, the writer checks the expiry of each
  /// session again, and skips a session that has been used in the meantime. `ended` receives the id of each ended session on the writer's
  /// thread, before `reply` is called.
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

  /// Reads the next slice, then ends its sessions.
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
      // Starts at one more than the number of sessions, so that the slice cannot finish before all commands have been sent.
      progress.waiting = page.ids.count + 1
    }
    for id in page.ids {
      let reply: Reply<Void> = { result in
        if case .success = result { self.ended(id) }
        self.finish(result)
      }
      parts.mailbox.send(isExpiry ? RequestJob.expiry(of: id, reply) : RequestJob.deletion(of: id, reply))
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
      // Another caller has ended the session, or has used it since the page was read.
      case .failure(.unknownSession)?, .failure(.conflict)?, nil: break
      case .failure(let fault)?: progress.fault = fault
      }
      progress.waiting -= 1
      guard progress.waiting == 0 else { return .wait }
      if let fault = progress.fault {
        // The cursor stays at the beginning of this slice, so a repeated request finds its remaining sessions.
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
  /// Ends the sessions that match a query, at most `query.limit`. `ended` is called on the writer's thread with the id of each ended session, before `reply` is
  /// called.
  package func end(
    _ query: SessionQuery, ended: @escaping @Sendable (String) -> Void = { _ in },
    reply: @escaping @Sendable (Result<Ended, StoreFault>) -> Void
  ) {
    Ending(query, isExpiry: false, parts, readers, ended: ended, reply).goOn()
  }
}
