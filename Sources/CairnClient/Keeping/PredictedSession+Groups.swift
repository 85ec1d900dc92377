import CairnCore

extension ClientError {
  /// The error of an action in a session that has ended.
  static let over = ClientError.refused(ServiceProblem("over", "the session has ended"))
}

// The groups of refused actions, and the end of the session.
extension PredictedSession {
  /// The refused actions of this session in groups, the oldest group first. `retry` and `discard` remove a group. After the session's end, the groups also
  /// contain the actions that had no response.
  public var groups: [RefusedGroup] { refused.own.map(\.shown) }

  /// Posts the actions of a group again, in order and under new numbers, and removes the group. If an action names a node that an earlier
  /// action of the group creates, its repetition names the node that the repeated earlier action creates. Waits for the results of all
  /// actions. Then returns the responses, or throws the first error.
  ///
  /// A group that cannot be posted is kept. The call throws `group-gone` if the group does not exist, and `over` if the session has ended.
  /// It throws `dismissed` if an action names a node that an action of another client created, and `unreachable` if too many actions wait
  /// or one has waited too long.
  @discardableResult
  public func retry(_ group: String) async throws(ClientError) -> [ActionAnswer] {
    guard let kept = refused.own.first(where: { $0.id == group }) else {
      throw .refused(ServiceProblem("group-gone", "no group has the id \(group): it was retried or discarded"))
    }
    let items = kept.items.filter { $0.action != nil }
    if let obstacle = isOver ? .over : queue.obstacle(count: items.count, now: now()) { throw obstacle }
    guard kept.client == client || !kept.namesOthers else {
      throw .refused(ServiceProblem("dismissed", "an action of the group names a node by the number of another client's action"))
    }
    let (ends, end) = AsyncStream.makeStream(of: (Int, Result<ActionAnswer, ClientError>).self)
    var numbers: [Int: Int] = [:]
    WaitingTimers.catchUp(self)
    for (place, item) in items.enumerated() {
      guard let action = item.action else { continue }
      let posted = NodeNames.renumbering(action, numbers)
      numbers[item.number] = nextNumber
      put(SessionAction(posted), posted, isStored: true, isKept: true, definition: item.definition) { end.yield((place, $0)) }
    }
    // One write stores the actions and deletes their group.
    refused.remove(group)
    save()
    send()
    var results: [Int: Result<ActionAnswer, ClientError>] = [:]
    for await (place, result) in ends {
      results[place] = result
      if results.count == items.count { break }
    }
    var answers: [ActionAnswer] = []
    for place in items.indices { if let result = results[place] { answers.append(try result.get()) } }
    return answers
  }

  /// Deletes a group, and returns after the file has been written. Does nothing if the group does not exist.
  public func discard(_ group: String) async {
    refused.remove(group)
    save()
    await saved()
  }

  /// Ends the session and deletes it in the service. The waiting actions become a group.
  public func end() async throws(ClientError) {
    try await session.end()
    leave(.over)
  }

  /// Handles a refused action that is no longer in the queue. `whole` is the group of the preceding action if their request was refused as a whole; otherwise
  /// `nil`. Returns the id of the action's group.
  @discardableResult
  func refuse(_ item: QueuedAction, _ error: ClientError, with whole: String? = nil) -> String? {
    if let update = replica?.drop(item.number) { show(update) }
    var group: String?
    if let problem = error.problem {
      let reason = RefusedGroups.Reason(code: problem.code, detail: problem.detail, isOver: problem.status == 0)
      group = refused.add(item, reason, with: whole, next: nextNumber, now: now())
    }
    if refused.tidy(isQueueEmpty: queue.isEmpty) {
      keeper?.keeping.onNotice("there are more than \(RefusedGroups.most) groups of refused actions: the oldest are discarded")
    }
    rejectedListeners.send(RejectedAction(action: item.action, error: error, group: item.isStored ? group : nil))
    item.end?(.failure(error))
    return group
  }

  /// Ends the predictions, because the service no longer has the session, or refuses its secret. The waiting actions become a group.
  func leave(_ error: ClientError) {
    guard !isOver else { return }
    isOver = true
    let left = queue
    queue = []
    var group: String?
    for item in left { group = refuse(item, error, with: group) }
    save()
    close()
  }
}
