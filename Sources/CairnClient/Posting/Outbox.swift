import CairnTransfer

/// The posts to a session, sent one request at a time, in the order of the calls. Actions that are posted while a request is in progress
/// are sent together in the next request, with the client's numbers. Shared by all copies of a session's client. Thread-safe.
final class Outbox: Sendable {
  /// The next operation of a waiting call.
  private enum Turn {
    /// The call sends its own post.
    case send
    /// The call sends a request with its own post and the posts of other calls.
    case lead(NumberedPosts)
    case finished(Result<Wire.Answer, ClientError>)
  }

  private struct Waiting {
    let id: Int
    let post: Post
    let call: CheckedContinuation<Turn, Never>
  }

  private struct State {
    var isBusy = false
    var nextCall = 0
    var nextNumber = 1
    /// The calls whose post has not been sent, in order.
    var waiting: [Waiting] = []
    /// The calls whose post is in the request that another call has sent, by id.
    var sent: [Int: CheckedContinuation<Turn, Never>] = [:]
    /// The calls that were cancelled before they began to wait.
    var cancelled: Set<Int> = []
  }

  private let wire: Wire
  private let client = NumberedPosts.newClient()
  private let state = Guarded(State())

  init(wire: Wire) { self.wire = wire }

  /// Sends a post, in its own request or with other posts, when all earlier posts have been answered. Throws if the post is refused.
  func send(_ post: Post) async throws(ClientError) -> Wire.Answer {
    let id = state.withLock { state in
      state.nextCall += 1
      return state.nextCall
    }
    var turn = await turn(of: post, id)
    while true {
      switch turn {
      case .finished(let result): return try result.get()
      case .send:
        defer { pass() }
        return try await wire.send(post.request)
      case .lead(let posts): turn = await lead(posts, as: id)
      }
    }
  }

  /// Waits until a call may send its post. Returns the call's next operation.
  private func turn(of post: Post, _ id: Int) async -> Turn {
    let turn = await withTaskCancellationHandler {
      await withCheckedContinuation { call in
        let turn = state.withLock { state -> Turn? in
          if state.cancelled.contains(id) { return .finished(.failure(.cancelled)) }
          if state.isBusy {
            state.waiting.append(Waiting(id: id, post: post, call: call))
            return nil
          }
          state.isBusy = true
          return .send
        }
        if let turn { call.resume(returning: turn) }
      }
    } onCancel: {
      cancel(id)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    return turn
  }

  /// Ends a waiting call with `cancelled`. If the call's post has already been sent, the service may still perform it.
  private func cancel(_ id: Int) {
    let call = state.withLock { state -> CheckedContinuation<Turn, Never>? in
      if let place = state.waiting.firstIndex(where: { $0.id == id }) { return state.waiting.remove(at: place).call }
      if state.sent[id] == nil { state.cancelled.insert(id) }
      return state.sent.removeValue(forKey: id)
    }
    call?.resume(returning: .finished(.failure(.cancelled)))
  }

  /// Allows the next call to send its post, together with later posts that fit into the same request.
  private func pass() {
    let next = state.withLock { state -> (call: CheckedContinuation<Turn, Never>, turn: Turn)? in
      guard let first = state.waiting.first else {
        state.isBusy = false
        return nil
      }
      let count = NumberedPosts.count(state.waiting.map(\.post))
      let together = state.waiting.prefix(count)
      state.waiting.removeFirst(max(1, count))
      guard count > 1 else { return (first.call, .send) }
      for waiting in together.dropFirst() { state.sent[waiting.id] = waiting.call }
      let posts = NumberedPosts(client: client, first: state.nextNumber, items: together.map { ($0.id, $0.post) })
      state.nextNumber += count
      return (first.call, .lead(posts))
    }
    next?.call.resume(returning: next?.turn ?? .send)
  }

  /// Sends posts in one request, on behalf of one of the calls. Returns the next operation of that call.
  private func lead(_ posts: NumberedPosts, as id: Int) async -> Turn {
    var ends: [Result<Wire.Answer, ClientError>]
    do throws(ClientError) {
      let answer = try await wire.exchange(posts.request())
      // With these statuses the service refuses the whole request, for example because its version does not support numbers. Each post is
      // then sent in its own request.
      if [413, 422].contains(answer.status) { return separate(posts, as: id) }
      guard answer.status < 400 else { throw .refused(ServiceProblem(answer)) }
      ends = try posts.ends(answer)
    } catch .cancelled {
      // The task of this call was cancelled, but the tasks of the other calls were not. One of those calls sends the same numbers again.
      hand(over: posts)
      return .finished(.failure(.cancelled))
    } catch {
      ends = posts.items.map { _ in .failure(error) }
    }
    var own: Turn?
    for (item, end) in zip(posts.items, ends) {
      if item.id == id { own = .finished(end) } else { resume(item.id, .finished(end)) }
    }
    // Posts that did not run are sent again under their numbers.
    let rest = posts.dropFirst(ends.count)
    guard let own else { return .lead(rest) }
    hand(over: rest)
    return own
  }

  /// Makes the first call that still waits for these posts send them. If no such call exists, the next waiting call sends its post.
  private func hand(over posts: NumberedPosts) {
    let call = state.withLock { state in
      posts.items.first { state.sent[$0.id] != nil }.flatMap { state.sent.removeValue(forKey: $0.id) }
    }
    guard let call else { return pass() }
    call.resume(returning: .lead(posts))
  }

  /// Makes each call send its post in its own request, before later posts. Returns the turn of the call `id`: its post is the first, so the
  /// call sends it now.
  private func separate(_ posts: NumberedPosts, as id: Int) -> Turn {
    state.withLock { state in
      let others = posts.items.compactMap { item in
        state.sent.removeValue(forKey: item.id).map { Waiting(id: item.id, post: item.post.alone, call: $0) }
      }
      state.waiting.insert(contentsOf: others, at: 0)
    }
    return .send
  }

  private func resume(_ id: Int, _ turn: Turn) { state.withLock { $0.sent.removeValue(forKey: id) }?.resume(returning: turn) }
}
