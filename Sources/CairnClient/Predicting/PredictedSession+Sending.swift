import CairnCore

// Sends one request at a time, with as many of the waiting actions as fit into it.
extension PredictedSession {
  func send() {
    guard !isSending else { return }
    isSending = true
    Task { await sendAll() }
  }

  private func sendAll() async {
    var isAnswered = false
    while !queue.isEmpty {
      // The numbers must be stored before they are sent, so that no number is used twice.
      await saved()
      guard !queue.isEmpty else { break }
      let posts = queue.posts(of: session, client: client, isAlone: alone > 0)
      for place in queue.indices.prefix(posts.items.count) { queue[place].isSent = true }
      do throws(ClientError) {
        let answer = try await session.requests.wire.once(posts.request(now: time))
        if [413, 422].contains(answer.status), posts.items.count > 1 {
          alone = posts.items.count
          continue
        }
        alone = max(0, alone - 1)
        guard answer.status < 400 else { throw .refused(ServiceProblem(answer)) }
        let ends = try posts.ends(answer)
        (isOffline, failures) = (false, 0)
        for (item, end) in zip(posts.items, ends) {
          if case .success(let answer) = end, let entry = answer.json.replicaEntry { early[entry.revision] = (entry.difference, item.id) }
        }
        for case .success in ends {
          isAnswered = true
          contact.noteAnswer(at: now())
        }
        for (item, end) in zip(posts.items, ends) { await note(end, of: item.id) }
        save()
        if needsReading { await readAgain() }
        listen(after: replica?.revision ?? newest)
      } catch {
        guard error.mayPass else {
          if error.problem?.endsSession == true { leave(error) }
          var group: String?
          for item in posts.items {
            if let place = queue.firstIndex(where: { $0.number == item.id }) { group = refuse(queue.remove(at: place), error, with: group) }
          }
          save()
          continue
        }
        fail(posts, error)
        let asked = error.problem?.retryAfter ?? .zero
        try? await session.requests.wire.retry.pause(max(asked, session.requests.wire.retry.backOff(failures)))
      }
    }
    isSending = false
    if replica == nil, !isOver { await beginAgain() } else if !early.isEmpty { await applyEarly() }
    // A report that was refused is not repeated at once.
    if isAnswered { Contact.report(self) }
  }

  /// Handles the failure of a request, which is then sent again. After the policy's last attempt, all actions without `isKept` fail. If the
  /// service cannot be reached, the actions without `isKept` that are not in the request fail at once. The actions in the request do not,
  /// because they may have run.
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
      item.end?(.failure(error))
    }
    if !failed.isEmpty { save() }
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
        item?.end?(.success(read))
      } catch {
        item?.end?(.failure(error))
      }
    case .failure(let error):
      if error.problem?.isForgotten == true { return await noteKnown(number, item) }
      if let item { refuse(item, error) }
      if let revision = error.problem?.revision { await catchUp(to: revision) }
    }
  }

  /// Handles an action that was processed, but whose response has expired. Reads the state, which contains the action's effect.
  private func noteKnown(_ number: Int, _ item: QueuedAction?) async {
    await readAgain()
    if let update = replica?.drop(number) { show(update) }
    item?.end?(.success(ActionAnswer(knownBy: replica?.revision ?? 0)))
  }
}
