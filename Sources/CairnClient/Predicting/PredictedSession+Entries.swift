import CairnCore

// Handles entries and states from the service.
extension PredictedSession {
  /// Starts reading the session's stream after a revision, unless the stream is already being read or the predicted session is closed.
  func listen(after revision: Int) {
    guard listening == nil, !isClosed else { return }
    // The session may hold actions for this client only if the client has posted numbered actions.
    contact.mayLackActions = nextNumber > 1
    let changes = SessionChanges(session: session, revision: revision, prefersReplica: true)
    listening = Task { [weak self] in
      do throws(ClientError) {
        for try await event in changes { await self?.note(event) }
        await self?.stopStreaming()
      } catch {
        // The responses still report the results of this client's own actions. The next response opens the stream again.
        await self?.stopStreaming(error)
      }
    }
  }

  private func stopStreaming(_ error: ClientError? = nil) async {
    isStreaming = false
    if let error, error.problem?.endsSession == true { return leave(error) }
    if error != nil { listening = nil }
    if !early.isEmpty { await readAgain() }
  }

  private func note(_ event: SessionEvent) async {
    defer { Contact.report(self) }
    switch event {
    case .connected:
      (isStreaming, isOffline) = (true, false)
      if replica == nil, !isSending { await beginAgain() }
      // Predictions may have begun without the service, with a stored sealing key that is now too old.
      if needsReading || sealingKey?.isOld(at: now()) == true { await readAgain() }
      await Contact.readHeld(self)
    case .interrupted(let error):
      // After an interruption the stream is opened again. The service counts as unreachable only if this attempt also fails.
      if !isStreaming, error.problem == nil { isOffline = true }
      isStreaming = false
    case .reset(let session):
      // The earlier entries may belong to a history that was lost, if the service was restored from a backup.
      early = [:]
      wasReset = true
      newest = max(newest, session.revision)
      contact.hold(session.pending.compactMap(\.held))
      await readAgain()
    case .change(let entry):
      contact.hold(entry.events.compactMap { $0.type == .actionHeld ? $0.held : nil })
      let sender = entry.json["sender"]
      let number: Int? = if sender?["client"] == .string(client), case .integer(let number)? = sender?["action"] { number } else { nil }
      // The response to this client's request will arrive soon, and confirms all of its actions together.
      let isAwaited = replica != nil && !wasReset && queue.contains { $0.number == number && $0.isSent }
      if isAwaited, let (revision, difference) = entry.json.replicaEntry {
        early[revision] = (difference, number)
        return
      }
      await take(entry.json, number: number)
    case .ended: leave(.over)
    }
  }

  /// Applies an entry, unless it is already applied. Without a replica, shows the confirmed state instead. `number` is the number of the
  /// entry's action if this client posted it; otherwise `nil`.
  func take(_ entry: Value, number: Int?) async {
    guard case .integer(let revision)? = entry["revision"] else { return }
    guard let replica else {
      newest = max(newest, revision)
      return await showConfirmed()
    }
    guard revision > replica.revision, !wasReset else {
      if needsReading { await readAgain() }
      return
    }
    guard let (revision, difference) = entry.replicaEntry else { return await readAgain() }
    early[revision] = (difference, number)
    await applyEarly()
    // An entry of another client is missing. If the stream is open, it will deliver the entry.
    if needsReading || (!early.isEmpty && !isStreaming) { await readAgain() }
  }

  /// Reads the state if entries up to a revision are missing and no stream will deliver them.
  func catchUp(to revision: Int) async {
    if let now = replica?.revision, revision > now, !isStreaming { await readAgain() }
  }

  /// Applies the entries that follow the confirmed revision, all in one call, because the waiting actions run again after each call.
  func applyEarly() async {
    var (reports, revision): ([ServiceReport], Int) = ([], replica?.revision ?? 0)
    while let entry = early.removeValue(forKey: revision + 1) {
      reports.append(.entry(entry.difference, number: entry.number))
      revision += 1
    }
    if !reports.isEmpty {
      do throws(UnreadableFormat) {
        if let update = try replica?.take(reports) { show(update) }
        for case .entry(_, let number?) in reports { lastConfirmed = max(lastConfirmed, number) }
      } catch {
        return await readAgain()
      }
    }
    if let revision = replica?.revision { early = early.filter { $0.key > revision } }
    save()
  }

  /// Reads the state, because the current state cannot be computed from the entries that have arrived. If the state is already being read,
  /// another reading follows.
  func readAgain() async {
    needsReading = true
    guard !isReading else { return }
    isReading = true
    defer { isReading = false }
    while needsReading, replica != nil {
      needsReading = false
      do throws(ClientError) {
        try await readOnce()
      } catch {
        // The state is read again after the next entry or response, and when the stream has been opened again.
        needsReading = true
        return
      }
    }
  }

  private func readOnce() async throws(ClientError) {
    let before = replica?.revision ?? 0
    let isReset = wasReset
    wasReset = false
    let read: ReplicaReading?
    do throws(ClientError) {
      read = try await ReplicaReading.read(session, client: client)
    } catch {
      wasReset = wasReset || isReset
      throw error
    }
    guard let reading = read, reading.definition == definition else { return await stopPredicting() }
    // If the read revision is lower than the revision before the reading, the service was restored from a backup. Otherwise, entries may
    // have arrived during the reading.
    let isRestored = reading.revision < before
    if isRestored { early = [:] }
    sealingKey = SealingKey(reading.sealingKey, at: now()) ?? sealingKey
    guard let shown = replica?.revision else { return }
    if isReset, !isRestored, reading.revision < shown {
      (wasReset, needsReading) = (true, true)
    } else if reading.revision > shown || isReset || isRestored {
      do throws(UnreadableFormat) {
        if let update = try replica?.adopt(reading.state, through: reading.last) { show(update) }
        lastConfirmed = reading.last
      } catch {
        return await stopPredicting()
      }
    }
    await applyEarly()
  }

  /// Stops predicting until all actions are answered, because the state that the service sent does not fit the replica: for example, the
  /// session has moved to another definition than that of the actions.
  private func stopPredicting() async {
    (replica, early, needsReading, wasReset) = (nil, [:], false, false)
    save()
    if isSending { await showConfirmed() } else { await beginAgain() }
  }

  /// Reads and shows the confirmed state of the session. Shows nothing if predictions have begun, or if the result of a newer reading is
  /// already shown.
  private func showConfirmed() async {
    beganReading += 1
    let number = beganReading
    guard let view = try? await session.session(), replica == nil, number > shownReading else { return }
    shownReading = number
    definition = view.definition
    show(ShownUpdate(tree: view.tree, revision: view.revision))
  }

  /// Starts predicting with the session's current definition. If this is not possible, or if actions are waiting, shows the confirmed state
  /// instead.
  func beginAgain() async {
    beganReading += 1
    let number = beganReading
    newest = 0
    do throws(ClientError) {
      guard let (reading, new) = try await ReplicaReading.begin(session, client: client), queue.isEmpty else {
        return await showConfirmed()
      }
      // Another call has already set a replica, perhaps with an older state.
      guard replica == nil else {
        if let now = replica?.revision, reading.revision > now { await readAgain() }
        return
      }
      // An entry that arrived during the reading is not in the state, and will not arrive again.
      guard number > shownReading, reading.revision >= newest else { return await beginAgain() }
      shownReading = number
      (replica, definition, needsReading) = (new, reading.definition, false)
      (definitionText, lastConfirmed) = (reading.text, reading.last)
      sealingKey = SealingKey(reading.sealingKey, at: now()) ?? sealingKey
      save()
      show(ShownUpdate(tree: new.tree, revision: new.revision))
    } catch {
      needsReading = true
    }
  }
}

extension Value {
  /// The revision of an entry, and the difference that a replica applies; `nil` if the JSON has no difference in the replica's format.
  var replicaEntry: (revision: Int, difference: [UInt8])? {
    guard case .integer(let revision)? = self["revision"], case .string(let difference)? = self.at(["replica", "difference"]),
      self.at(["replica", "format"]) == .integer(ReplicaFormat.version)
    else { return nil }
    return (revision, Array(difference.utf8))
  }
}
