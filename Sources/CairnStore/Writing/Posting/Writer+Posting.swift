import CairnCore
import CairnJournal

// Runs posts: without a key, or only once under a key or a number.
extension Writer {
  /// Runs a post, and adds its changes to the batch. Throws `unknownSession` if the session does not exist.
  func post(_ post: Post, in batch: inout Batch) throws(StoreFault) -> Posted {
    guard let staged = try parts.find(post.session, in: &batch) else { throw .unknownSession }
    var meter = Meter(parts.limits.bounds)
    return try run(post, on: staged, meter: &meter, in: &batch)
  }

  /// Runs a post under a key unless it ran before. Returns the new or the stored response. Throws `unknownSession` if the session does not exist.
  func post(_ post: Post, _ once: Once, in batch: inout Batch) throws(StoreFault) -> GivenAnswer {
    guard let staged = try parts.find(post.session, in: &batch) else { throw .unknownSession }
    return try run(once.key, on: staged, in: &batch) { batch throws(StoreFault) in
      var meter = Meter(parts.limits.bounds)
      return try run(post, on: staged, meter: &meter, in: &batch)
    } render: { result in
      once.render(result, staged.session)
    }
  }

  /// Runs work under a key unless it ran before. The key is checked first, so that a repetition does not depend on the current state.
  /// `isNumber` is set if the key is that of a numbered action. For such an action, the state shows whether another node has run the work,
  /// and every refusal uses up the number.
  func run(
    _ key: RequestKey, isNumber: Bool = false, on staged: Staged, in batch: inout Batch,
    work: (inout Batch) throws(StoreFault) -> Posted, render: (Result<Posted, StoreFault>) -> (RenderedAnswer, word: String)
  ) throws(StoreFault) -> GivenAnswer {
    let name = AnswerKey.request(key.name)
    if let kept = try answers.kept(name, staged) { return try answers.replay(kept, for: key.print) }
    let result = Result { () throws(StoreFault) in try work(&batch) }
    // Results and refusals are stored as responses. After any other fault the request may be repeated under the same key.
    switch result {
    case .success, .failure(.refused), .failure(.definitionChanged): break
    case .failure(.operatorOnly) where isNumber: break
    case .failure(let fault):
      if !isNumber, let kept = try answers.keptElsewhere(name, staged) { return try answers.replay(kept, for: key.print) }
      throw fault
    }
    var given = answers.keep(render(result), name, key.print, of: staged, in: &batch)
    // Unreported: the error is ignored here, because the response contains the refusal.
    given.posted = try? result.get()
    return given
  }

  /// Performs the work of a post: all commands, or none if one is refused. Does nothing if the post's message has been processed before.
  func run(_ post: Post, on staged: Staged, meter: inout Meter, in batch: inout Batch) throws(StoreFault) -> Posted {
    switch post.work {
    case .commands(let commands, let made, let message):
      if let message, try answers.kept(.request(message), staged) != nil { return staged.repeated() }
      let posted: Posted
      do throws(StoreFault) {
        posted = try run(commands, made, of: post, on: staged, meter: &meter)
      } catch {
        if let message, try answers.keptElsewhere(.request(message), staged) != nil { return staged.repeated() }
        throw error
      }
      if let message { answers.note(message, of: posted.performed, staged) }
      batch.keep(staged)
      return posted
    case .alteration(let alteration): return try alter(alteration, staged, post.matching, from: post.origin, in: &batch)
    case .forgetting(let part):
      _ = try forget(part, staged, post.matching, in: &batch)
      return Posted(session: staged.session, performed: [])
    case .failed(let fault): throw fault
    }
  }

  private func run(
    _ commands: [Command], _ made: ClientDefinition?, of post: Post, on staged: Staged, meter: inout Meter
  ) throws(StoreFault) -> Posted {
    try staged.authorize(commands, from: made)
    try staged.check(post.matching)
    defer { lanes.note(staged.session.id, took: meter.spent) }
    let commands = try staged.opened(try staged.mapped(commands, from: made, parts), parts, meter: &meter)
    parts.bound(staged)
    return try staged.post(commands, from: post.origin, parts, meter: &meter)
  }
}
