import CairnCore
import CairnJournal

// Runs numbered actions. The state contains the highest number of each client, and recent responses are stored, so no action runs twice.
extension Writer {
  func post(_ post: NumberedPost, in batch: inout Batch) throws(StoreFault) -> NumberedAnswers {
    guard let staged = try parts.find(post.session, in: &batch) else { throw .unknownSession }
    var round = NumberedRound(post)
    if let seen = post.covers {
      round.covers = seen.book
      round.happened = seen.happened
      // Entries have been written since the covers were read. Their authors are unknown here, so they count as entries of others.
      if seen.state.revision != staged.session.state.revision {
        round.covers.note(from: seen.state, to: staged.session.state, isOwn: false)
      }
    }
    for action in post.actions {
      round.answers.append(try answer(to: action, in: &round, staged, &batch))
    }
    return NumberedAnswers(session: staged.session, answers: round.answers)
  }

  private func answer(
    to action: NumberedAction, in round: inout NumberedRound, _ staged: Staged, _ batch: inout Batch
  ) throws(StoreFault) -> NumberedAnswer {
    let key = RequestKey(name: round.post.key(action.number), print: action.print)
    var answer = NumberedAnswer(number: action.number, content: .known)
    do throws(StoreFault) {
      let given = try run(key, isNumber: true, on: staged, in: &batch) { batch throws(StoreFault) in
        try run(action, in: &round, staged, &batch)
      } render: { result in
        (round.post.render(result, staged.session, action.number, round.created[action.number] ?? []), "")
      }
      answer.content = .given(given.content, isReplay: given.isReplay)
      answer.difference = given.posted?.performed.last?.difference
      return answer
    } catch {
      switch error {
      case .responseForgotten where nodes.commitDecides && !round.hasFreshKeys:
        // Another node may have stored the response to a refusal, which has no entry that this node could read.
        round.hasFreshKeys = true
        staged.session.keys.forget()
        return try self.answer(to: action, in: &round, staged, &batch)
      case .responseForgotten: return answer
      case .keyReused: break
      // The nodes were not looked up, or the actions so far have reached the work limit of a request. Later actions may depend on this one,
      // so none of them runs.
      case .queueFull: round.work = .max
      default: throw error
      }
      answer.content = .notRun(error)
      return answer
    }
  }

  /// Runs one action, and records the nodes that it creates. Throws `responseForgotten` if the number is used up. Throws `queueFull` if the
  /// actions so far have reached the work limit of a request, or if a node of an earlier action was not searched.
  private func run(
    _ action: NumberedAction, in round: inout NumberedRound, _ staged: Staged, _ batch: inout Batch
  ) throws(StoreFault) -> Posted {
    guard action.number > staged.session.state.newestAction(of: round.post.client) else { throw .responseForgotten }
    // All actions of a request share the work limit of one request, so that a client cannot delay the requests of others.
    guard round.work <= parts.limits.bounds.work else { throw .queueFull }
    let reducer = staged.session.definition.reducer
    let command = try action.command(isAnswer: { reducer.answersGuard($0) }) { number throws(StoreFault) in
      if let created = round.created[number] { return created }
      let created = try created(by: number, in: round, staged)
      round.created[number] = created
      return created
    }
    let before = staged.session.state
    staged.covers = action.seen.map { round.covers.covers(since: $0) } ?? []
    staged.sender = Sender(client: round.post.client, number: action.number)
    staged.clientTime = round.time(of: action, on: staged.session, now: parts.clock.now())
    var meter = Meter(parts.limits.bounds)
    defer {
      (staged.sender, staged.covers, staged.clientTime) = (nil, [], nil)
      round.covers.note(from: before, to: staged.session.state, isOwn: true)
      round.work += meter.spent
      round.created[action.number] = CreatedNode.nodes(from: before.nextNode, to: staged.session.state.nextNode)
    }
    return try run(round.post.post(command), on: staged, meter: &meter, in: &batch)
  }

  /// Returns the nodes that an action of an earlier request has created: from its stored response or, if none is stored, as a reader found
  /// them in the history. Throws `queueFull` if no reader has searched for them. Returns `nil` if the action has not run.
  private func created(by number: WideInt, in round: NumberedRound, _ staged: Staged) throws(StoreFault) -> [NodeID]? {
    if let kept = try answers.kept(.request(round.post.key(number)), staged), kept.content.status != 0 {
      return round.post.created(kept.content)
    }
    if let found = round.post.found[number] { return found }
    // The action has not run, so the history contains no entry of it.
    guard number <= staged.session.state.newestAction(of: round.post.client) else { return nil }
    throw .queueFull
  }
}

/// The progress of a request with numbered actions.
private struct NumberedRound {
  let post: NumberedPost
  var answers: [NumberedAnswer] = []
  /// The created nodes by the action's number, for the actions of this request and the earlier actions that the request names.
  var created: [WideInt: [NodeID]] = [:]
  /// The work of all actions so far, as counted by `Meter`.
  var work = 0
  /// The covers that others have put over the pages that the client's user saw.
  var covers = CoverBook()
  /// The time of the client's previous action, in milliseconds since 1970.
  var happened: WideInt = 0
  /// Whether the keys of the stored responses were read from the journal for this request.
  var hasFreshKeys = false

  init(_ post: NumberedPost) { self.post = post }

  /// The time of an action that arrives now, in milliseconds since 1970. The action happened after the entry of the revision that its user
  /// saw, and after the client's previous action. Returns `nil` if the client gives no time, or if the session has a manual clock, whose
  /// time does not depend on clients.
  mutating func time(of action: NumberedAction, on session: Session, now: @autoclosure () -> Int) -> ClientTime? {
    guard let at = action.at, let sent = post.sent, session.state.manualTime == nil else { return nil }
    // A client can begin a session without a network. Its user can act in this session before the service creates it.
    let beginning = session.createdAt - Definition.usualOfflineFor
    let seen = action.seen.flatMap { $0 > 1 ? post.covers?.time(of: $0) : nil } ?? beginning
    let time = ClientTime(at, sent: sent, arrival: max(now(), session.updatedAt), earliest: max(seen, happened))
    happened = time.happened
    return time
  }
}
