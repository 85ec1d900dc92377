import CairnCore

// Keeps the session in its file.
extension PredictedSession {
  /// Starts predicting with a state from the service or from the file, and with the other content of the file. Must be called before any action is posted.
  func begin(_ kept: KeptSession?, _ replica: Replica, _ text: [UInt8], last: Int, sealing: SealingKey? = nil) {
    (self.replica, definitionText, lastConfirmed) = (replica, text, last)
    sealingKey = sealing ?? kept?.sealingKey
    hadToken = replica.confirmed.facts[FactDefinition.accessToken] != nil
    if let kept {
      (queue, nextNumber, names) = (kept.pending, kept.next, NodeNames(kept.names))
      refused = RefusedGroups(session: session.id, client: client, kept.groups, last: kept.lastRefusal)
      if kept.isSecretForgotten { remembersSecret = false }
      runAgain()
    }
    save()
    listen(after: replica.revision)
    if !queue.isEmpty { send() }
  }

  /// Runs the waiting actions of an earlier process. If the session has moved to another definition, nothing is predicted until the service has
  /// responded to them.
  private func runAgain() {
    guard queue.allSatisfy({ $0.definition == definition || $0.number <= lastConfirmed }) else {
      replica = nil
      return
    }
    for item in queue where item.number > lastConfirmed {
      let seen: Int? = if case .integer(let seen)? = item.posted["seen"] { seen } else { nil }
      _ = run(item.content, number: item.number, at: item.at, seen: seen)
    }
  }

  /// Stores the session after the changes in progress. Does not wait for the write.
  func save() {
    guard keeper != nil, !isUnsaved else { return }
    isUnsaved = true
    Task { put() }
  }

  /// Stores all changes, and returns when they are on the disk or could not be written.
  func saved() async {
    put()
    await keeper?.settled()
  }

  private func put() {
    guard isUnsaved, let keeper else { return }
    isUnsaved = false
    if queue.isEmpty { names.keep(refused.own.flatMap { $0.items.compactMap(\.action) }) }
    let hasToken = replica.map { $0.confirmed.facts[FactDefinition.accessToken] != nil } ?? hadToken
    // After a logout, the file must not contain the secret, because the next user of the device must not continue the session.
    if hadToken, !hasToken { remembersSecret = false }
    hadToken = hasToken
    keeper.put(content)
  }

  private var content: KeptSession {
    var kept = KeptSession(service: session.requests.wire.base, id: session.id, client: client, next: nextNumber)
    kept.isOver = isOver
    kept.isSecretForgotten = keeper?.keeping.remembersSecret == true && !remembersSecret
    kept.groups = refused.kept
    guard !isOver else { return kept }
    kept.secret = remembersSecret ? session.secret : nil
    kept.sealingKey = sealingKey
    kept.pending = queue.filter { $0.isKept && $0.isStored }
    kept.lastRefusal = refused.last
    kept.names = names.ids
    guard let replica, !definitionText.isEmpty else { return kept }
    var covers = JSONWriter()
    replica.writeCovers(to: &covers)
    kept.replica = KeptSession.KeptReplica(
      definition: definition, text: definitionText, state: .state(replica.confirmed), covers: (try? covers.bytes()) ?? [],
      last: lastConfirmed)
    return kept
  }
}
