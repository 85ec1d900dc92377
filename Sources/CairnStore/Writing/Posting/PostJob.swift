/// The writer's job for a post. A post with an idempotency key runs only once.
final class PostJob: Job {
  private enum Kind {
    case plain(Reply<Posted>)
    case once(Once, Reply<GivenAnswer>)
  }

  private let post: Post
  private let kind: Kind

  init(_ post: Post, _ reply: @escaping Reply<Posted>) {
    self.post = post
    kind = .plain(reply)
  }

  init(_ post: Post, _ once: Once, _ reply: @escaping Reply<GivenAnswer>) {
    self.post = post
    kind = .once(once, reply)
  }

  var session: String? { post.session }
  var isLong: Bool { post.isLong }

  func run(on writer: Writer, in batch: inout Batch) {
    switch kind {
    case .plain(let reply):
      let result = Result { () throws(StoreFault) in try writer.post(post, in: &batch) }
      batch.answer(.posted(result, reply), to: self)
    case .once(let once, let reply):
      let result = Result { () throws(StoreFault) in try writer.post(post, once, in: &batch) }
      batch.answer(.given(result, reply), to: self)
    }
  }

  func refuse(_ fault: StoreFault) {
    switch kind {
    case .plain(let reply): reply(.failure(fault))
    case .once(_, let reply): reply(.failure(fault))
    }
  }
}
