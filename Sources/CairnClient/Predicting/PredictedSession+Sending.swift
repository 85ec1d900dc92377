import CairnCore

// Sends one request at a time, with all waiting actions.
extension PredictedSession {
  func send() {
    guard !isSending else { return }
    isSending = true
    Task { await sendAll() }
  }

  private func sendAll() async {
    while !queue.isEmpty {
      let posts = nextPosts()
      do throws(ClientError) {
        let answer = try await attempt(posts)
        if [413, 422].contains(answer.status), posts.items.count > 1 {
          alone = posts.items.count
          continue
        }
        alone = max(0, alone - 1)
        guard answer.status < 400 else { throw .refused(ServiceProblem(answer)) }
        let ends = try posts.ends(answer)
        (isOffline, failures) = (false, 0)
        for (item, end) in zip(posts.items, ends) { await note(end, of: item.id) }
        if needsReading { await readAgain() }
        listen(after: replica?.revision ?? newest)
      } catch {
        guard error.mayPass else {
          for item in posts.items { await note(.failure(error), of: item.id) }
          if error.problem?.endsSession == true { close() }
          continue
        }
        fail(posts, error)
        let asked = error.problem?.retryAfter ?? .zero
        try? await session.requests.wire.retry.pause(max(asked, session.requests.wire.retry.backOff(failures)))
      }
    }
    isSending = false
    if replica == nil { await beginAgain() }
  }

  /// The actions at the front of the queue that fit into one request: with consecutive numbers and the same definition.
  private func nextPosts() -> NumberedPosts {
    let first = queue[0]
    var call = Wire.Call("POST", session.requests.path + "/actions", credential: session.secret)
    call.headers["Prefer"] = "return=minimal, replica"
    let items = queue.enumerated().prefix { place, item in
      item.number == first.number + place && item.definition == first.definition
    }
    let posts = items.map { ($0.element.number, Post(request: call, action: $0.element.posted)) }
    let count = alone > 0 ? 1 : max(1, NumberedPosts.count(posts.map(\.1)))
    return NumberedPosts(client: client, first: first.number, definition: first.definition, items: Array(posts.prefix(count)))
  }

  /// Sends a request once, without retries.
  private func attempt(_ posts: NumberedPosts) async throws(ClientError) -> Wire.Answer {
    var wire = session.requests.wire
    wire.retry.attempts = 1
    return try await wire.exchange(posts.request(now: time))
  }

  /// Handles the failure of a request that is then sent again. If the service cannot be reached, the waiting actions without `isKept` fail
  /// at once. The actions in the request may have run, so they fail only after the policy's last attempt.
  private func fail(_ posts: NumberedPosts, _ error: ClientError) {
    failures += 1
    // A busy service has responded, so it can be reached.
    if error.problem == nil { isOffline = true }
    let isLast = failures >= session.requests.wire.retry.attempts
    let repeated = isLast ? [] : Set(posts.items.map(\.id))
    let failed = queue.filter { !$0.isKept && (isLast || isOffline) && !repeated.contains($0.number) }
    let numbers = Set(failed.map(\.number))
    queue.removeAll { numbers.contains($0.number) }
    for item in failed {
      if let update = replica?.drop(item.number) { show(update) }
      item.call.resume(returning: .failure(error))
    }
  }

  /// Handles the result of an action, and ends the call that waits for it.
  private func note(_ end: Result<Wire.Answer, ClientError>, of number: Int) async {
    let place = queue.firstIndex { $0.number == number }
    let item = place.map { queue.remove(at: $0) }
    switch end {
    case .success(let answer):
      let json = answer.json
      if json["outcome"] == "unchanged" {
        if let update = replica?.drop(number) { show(update) }
        if case .integer(let revision)? = json["revision"] { await catchUp(to: revision) }
      } else {
        await take(json, number: number)
      }
      // After the last response to an action of another definition, predictions begin again.
      if replica == nil, queue.isEmpty { await beginAgain() }
      do throws(ClientError) {
        let read: ActionAnswer = try answer.read()
        item?.call.resume(returning: .success(read))
      } catch {
        item?.call.resume(returning: .failure(error))
      }
    case .failure(let error):
      if error.problem?.isForgotten == true { return await noteKnown(number, item) }
      if let update = replica?.drop(number) { show(update) }
      if let item { report(RejectedAction(action: item.action, error: error)) }
      if let revision = error.problem?.revision { await catchUp(to: revision) }
      item?.call.resume(returning: .failure(error))
    }
  }

  /// Handles an action that was processed, but whose response has expired. Reads the state, which contains the action's effect.
  private func noteKnown(_ number: Int, _ item: QueuedAction?) async {
    await readAgain()
    if let update = replica?.drop(number) { show(update) }
    item?.call.resume(returning: .success(ActionAnswer(knownBy: replica?.revision ?? 0)))
  }
}
