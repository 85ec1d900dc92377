import CairnCore

// Posts: plain ones, and those that run once under a key.
extension Writer {
  /// Runs a post.
  func post(_ post: Post, in batch: inout Batch) throws(StoreFault) -> Posted {
    guard let staged = try find(post.session, in: &batch) else { throw .unknownSession }
    var meter = Meter(parts.limits.bounds)
    return try run(post, on: staged, meter: &meter, in: &batch)
  }

  /// Runs a post under a key unless it ran before. The key is checked first, so that a repetition does not depend on the current state.
  func post(_ post: Post, _ once: Once, in batch: inout Batch) throws(StoreFault) -> GivenAnswer {
    guard let staged = try find(post.session, in: &batch) else { throw .unknownSession }
    let key = AnswerKey.request(once.key.name)
    if let kept = try kept(key, staged) { return try replay(kept, for: once.key.print) }
    var meter = Meter(parts.limits.bounds)
    let result = Result { () throws(StoreFault) in try run(post, on: staged, meter: &meter, in: &batch) }
    // Results and refusals are stored as responses. After any other fault the request may be repeated under the same key.
    if case .failure(let fault) = result {
      switch fault {
      case .refused, .definitionChanged: break
      default:
        if let kept = try keptElsewhere(key, staged) { return try replay(kept, for: once.key.print) }
        throw fault
      }
    }
    return keep(once.render(result, staged.session), key, once.key.print, of: staged, in: &batch)
  }

  /// Does the work of a post: all commands or none. Does nothing if the post's message has been processed before.
  func run(_ post: Post, on staged: Staged, meter: inout Meter, in batch: inout Batch) throws(StoreFault) -> Posted {
    switch post.work {
    case .commands(let commands, let made, let message):
      if let message, try kept(.request(message), staged) != nil { return staged.repeated() }
      let posted: Posted
      do throws(StoreFault) {
        posted = try run(commands, made, of: post, on: staged, meter: &meter)
      } catch {
        if let message, try keptElsewhere(.request(message), staged) != nil { return staged.repeated() }
        throw error
      }
      if let message { note(message, of: posted.performed, staged) }
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
    let commands = try staged.mapped(commands, from: made, parts)
    bound(staged)
    defer { lanes.note(staged.session.id, took: meter.spent) }
    return try staged.post(commands, from: post.origin, parts, meter: &meter)
  }
}
