import CairnCore

// Requests that name a key: the first is run and its answer kept, a repeat gets that answer. One that waits behind the first in the same
// batch finds it there, and is answered with the same commit.
extension Writer {
  /// Runs commands under a key, unless they ran before. The key is looked for before anything that depends on the state.
  func post(_ post: KeyedPost, in batch: inout Batch) throws(StoreFault) -> GivenAnswer {
    guard let staged = try find(post.session, in: batch) else { throw .unknownSession }
    let key = AnswerKey.request(post.key.name)
    if let kept = try kept(key, staged) { return try replay(kept, for: post.key.print) }
    let result = Result { () throws(StoreFault) in
      try self.post(post.commands, to: staged, post.matching, post.message, from: post.origin, in: &batch)
    }
    // Only what was decided by the state is an answer; what failed may be tried again under the same key.
    if case .failure(let fault) = result {
      guard case .refused = fault else { throw fault }
    }
    return keep(post.render(result, staged.session), key, post.key.print, of: staged, in: &batch)
  }

  /// Starts a session under a key, unless it was started before.
  func create(_ creation: KeyedCreation, in batch: inout Batch) throws(StoreFault) -> GivenAnswer {
    let id = creation.new.id
    if let kept = try keptCreation(id, in: batch) {
      let given = try replay(kept, for: creation.print)
      guard kept.content.status != 0 else { throw .unknownSession }
      return given
    }
    // It was made under this key so long ago that its answer is forgotten.
    guard batch[id] == nil, try !exists(id) else { throw .keyReused }
    let created = try create(creation.new, in: &batch)
    guard let staged = batch[id] else { throw .unknownSession }
    return keep(creation.render(created), .creation, creation.print, of: staged, in: &batch)
  }

  /// The response kept under a key of a session, this batch's included, if it has not expired.
  func kept(_ key: AnswerKey, _ staged: Staged) throws(StoreFault) -> KeptAnswer? {
    if let kept = staged.answer(key) { return kept }
    let id = staged.session.id
    guard staged.base > 0 else { return nil }
    // The writes of another node are not in this one's memory.
    if case .request(let name) = key, parts.journal.isExclusive {
      let mayBeThere = try staged.session.keys.mayHold(name) { () throws(StoreFault) in try parts.keys(of: id) }
      guard mayBeThere else { return nil }
    }
    return try parts.kept(key, of: id, toWrite: true)
  }

  /// Notes that a session took a message.
  func note(_ message: Fingerprint, of staged: Staged) {
    guard parts.limits.messages > 0 else { return }
    let until = parts.clock.now() + parts.limits.messages
    staged.keep(KeyedAnswer(.request(message), KeptAnswer(mark: message, until: until)))
    expectExpiry(at: until)
  }

  /// Lets go of answers that have expired, a few at a time.
  func forgetAnswers(at now: Int) {
    do {
      let next = try parts.journal.forgetAnswers(expiredAt: now)
      // Not for each that expires: what has expired is not given any more in any case.
      forgetTime = next.map { $0 <= now ? now : max($0, now + Self.pause) }
    } catch {
      forgetTime = now + Self.pause
    }
  }

  /// Milliseconds between two looks for what has expired.
  private static let pause = 10_000

  private func keptCreation(_ id: String, in batch: Batch) throws(StoreFault) -> KeptAnswer? {
    if let kept = batch[id]?.answer(.creation) { return kept }
    return try parts.kept(.creation, of: id, toWrite: true)
  }

  private func replay(_ kept: KeptAnswer, for print: Fingerprint) throws(StoreFault) -> GivenAnswer {
    guard kept.print == print else { throw .keyReused }
    return GivenAnswer(content: kept.content, until: kept.until, isReplay: true, word: "replayed")
  }

  private func keep(
    _ rendered: (content: RenderedAnswer, word: String), _ key: AnswerKey, _ print: Fingerprint, of staged: Staged, in batch: inout Batch
  ) -> GivenAnswer {
    let until = parts.clock.now() + parts.limits.answers
    staged.keep(KeyedAnswer(key, KeptAnswer(print: print, until: until, content: rendered.content)))
    batch.keep(staged)
    expectExpiry(at: until)
    return GivenAnswer(content: rendered.content, until: until, isReplay: false, word: rendered.word)
  }

  private func expectExpiry(at time: Int) {
    if forgetTime == nil { forgetTime = time }
  }
}
