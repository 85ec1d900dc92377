import CairnCore

// Numbered actions. The state has the highest number of each client, and recent responses are stored, so no action runs twice.
extension Writer {
  func post(_ post: NumberedPost, in batch: inout Batch) throws(StoreFault) -> NumberedAnswers {
    guard let staged = try find(post.session, in: &batch) else { throw .unknownSession }
    var round = NumberedRound(post)
    for action in post.actions {
      round.answers.append(try answer(to: action, in: &round, staged, &batch))
    }
    return NumberedAnswers(session: staged.session, answers: round.answers)
  }

  private func answer(
    to action: NumberedAction, in round: inout NumberedRound, _ staged: Staged, _ batch: inout Batch
  ) throws(StoreFault) -> NumberedAnswer {
    var answer = NumberedAnswer(number: action.number, content: .known)
    let key = AnswerKey.request(round.post.key(action.number))
    if let kept = try kept(key, staged) {
      if kept.print != action.print {
        answer.content = .notRun(.keyReused)
      } else if kept.content.status != 0 {
        answer.content = .given(kept.content, isReplay: true)
      }
      return answer
    }
    let newest = staged.session.state.newestAction(of: round.post.client)
    guard action.number > newest else {
      guard isShared, !round.hasFreshKeys else { return answer }
      // Another node may have stored the response of a refusal, of which no entry tells this one.
      round.hasFreshKeys = true
      staged.session.keys.forget()
      return try self.answer(to: action, in: &round, staged, &batch)
    }
    // The bound of one request, so that a session's client cannot keep the others waiting.
    guard round.work <= parts.limits.bounds.work else {
      answer.content = .notRun(.queueFull)
      return answer
    }
    let result = try run(action, in: &round, staged, &batch)
    switch result {
    case .success, .failure(.refused), .failure(.definitionChanged), .failure(.operatorOnly): break
    case .failure(.queueFull):
      // Its nodes were not looked up. An action behind it may depend on it, so none of them runs.
      round.work = .max
      answer.content = .notRun(.queueFull)
      return answer
    case .failure(let fault): throw fault
    }
    let content = round.post.render(result, staged.session, action.number, round.created[action.number] ?? [])
    _ = keep((content, ""), key, action.print, of: staged, in: &batch)
    answer.content = .given(content, isReplay: false)
    // Unreported: a refusal has no difference.
    answer.difference = (try? result.get())?.performed.last?.difference
    return answer
  }

  /// Runs one action, and notes the nodes that it creates.
  private func run(
    _ action: NumberedAction, in round: inout NumberedRound, _ staged: Staged, _ batch: inout Batch
  ) throws(StoreFault) -> Result<Posted, StoreFault> {
    let post = round.post
    var command = action.command
    do throws(StoreFault) {
      command = try action.command { number throws(StoreFault) in
        if let created = round.created[number] { return created }
        let created = try created(by: number, in: round, staged)
        round.created[number] = created
        return created
      }
    } catch {
      return .failure(error)
    }
    let before = staged.session.state.nextNode
    staged.sender = Sender(client: post.client, number: action.number)
    defer { staged.sender = nil }
    var meter = Meter(parts.limits.bounds)
    let result = Result { () throws(StoreFault) in
      try self.run(post.post(command), on: staged, meter: &meter, in: &batch)
    }
    round.work += meter.spent
    round.created[action.number] = CreatedNode.nodes(from: before, to: staged.session.state.nextNode)
    return result
  }

  /// The nodes that an action of an earlier request has created, by its stored response, or else as a reader found them. Throws `queueFull` if they were
  /// not looked up.
  private func created(by number: WideInt, in round: NumberedRound, _ staged: Staged) throws(StoreFault) -> [NodeID]? {
    let post = round.post
    if let kept = try kept(.request(post.key(number)), staged), kept.content.status != 0 { return post.created(kept.content) }
    if let found = post.found[number] { return found }
    // It has not run, so a look into the history would find nothing.
    guard number <= staged.session.state.newestAction(of: post.client) else { return nil }
    throw .queueFull
  }
}

/// The progress of a request with numbered actions.
private struct NumberedRound {
  let post: NumberedPost
  var answers: [NumberedAnswer] = []
  /// The nodes that the actions of this request have created.
  var created: [WideInt: [NodeID]] = [:]
  /// The work steps of all actions.
  var work = 0
  /// Whether the keys of the stored responses were read from the journal for this request.
  var hasFreshKeys = false

  init(_ post: NumberedPost) { self.post = post }
}
