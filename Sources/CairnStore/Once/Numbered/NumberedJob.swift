/// The writer's job for a request with numbered actions.
final class NumberedJob: Job {
  private let post: NumberedPost
  private let reply: Reply<NumberedAnswers>

  init(_ post: NumberedPost, _ reply: @escaping Reply<NumberedAnswers>) {
    self.post = post
    self.reply = reply
  }

  var session: String? { post.session }
  var isLong: Bool { post.actions.lazy.map(\.command).areLong }

  func run(on writer: Writer, in batch: inout Batch) {
    let result = Result { () throws(StoreFault) in try writer.post(post, in: &batch) }
    batch.answer(.other { [reply] fault in reply(fault.map(Result.failure) ?? result) }, to: self)
  }

  func refuse(_ fault: StoreFault) { reply(.failure(fault)) }
}
