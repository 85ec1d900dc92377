#if !CLIENT_ENGINE
  /// Holds actions while a client may have unsent actions that its user performed earlier. Performs the held actions when all clients have
  /// been in contact, or at the latest when `offlineFor` has passed.
  enum HeldActions {
    /// Maximum number of held actions in a session.
    static let limit = 16

    /// Performs an action at once if no client may have unsent actions and no other action is held. Otherwise holds the action. Returns the
    /// reason if the action was performed but changed nothing.
    static func post(_ run: inout Run, _ action: Action) throws(Refusal) -> NoChange? {
      try hold(&run, action) ? nil : run.begin(action)
    }

    /// Holds an action if a client may have unsent actions, or if another action is held. Returns whether the action is held. Throws if the session
    /// already holds the maximum number of actions.
    static func hold(_ run: inout Run, _ action: Action) throws(Refusal) -> Bool {
      let now = run.stamp.time
      let (clients, contacts) = (run.state.clients, run.state.contacts)
      let waited = clients.indices.filter { contacts[$0].until > now }.map { clients[$0].client }
      guard !waited.isEmpty || run.state.isHolding else { return false }
      guard run.state.heldActions.count < limit else {
        throw Refusal(.tooManyHeld, "the session already holds \(limit) actions for its clients; cancel one of them")
      }
      let id = HeldID(run.state.linkBook.issue().number)
      // Actions that are held already are performed first, so the new deadline must not be before theirs.
      let until = run.state.heldActions.reduce(now.addingSaturated(run.definition.offlineFor ?? Definition.usualOfflineFor)) {
        max($0, $1.until)
      }
      let held = HeldAction(id: id, action: action, since: now, until: until, clients: waited)
      try run.meter.write(held.size)
      run.state.heldActions.append(held)
      run.report.note(Event(.actionHeld, held: id))
      run.report.notePending()
      return true
    }

    /// Records that the client of the running action has sent all earlier actions of its user. Held actions no longer wait for this client.
    static func noteContact(_ run: inout Run) {
      guard let client = run.stamp.sender?.client, run.state.isHolding else { return }
      for place in run.state.heldActions.indices { run.state.heldActions[place].clients.removeAll { $0 == client } }
    }

    /// Releases the oldest held action if it waits for no client, or if its deadline has passed. A released action is performed, or dropped if it is refused.
    /// Returns whether an action was released. The actions are released in the order of their arrival, so a later one waits for an earlier one.
    static func release(_ run: inout Run) -> Bool {
      // An action that is performed while covers are lifted off would not remove the covers, so it is released later.
      guard !run.isLifting, let held = run.state.heldActions.first, held.clients.isEmpty || held.until <= run.stamp.time else {
        return false
      }
      run.state.heldActions.removeFirst()
      run.report.note(Event(.actionReleased, held: held.id))
      let before = run.state
      run.isReleasing = true
      do {
        _ = try run.begin(held.action)
        run.finishTurn()
      } catch {
        run.undo(to: before)
        run.report.note(Event(.actionDropped, reason: error.code.rawValue, held: held.id))
      }
      run.isReleasing = false
      return true
    }

    /// Drops a held action. Throws `action-gone` if it is no longer held, and `invalid` if its number has never been assigned.
    static func cancel(_ run: inout Run, _ id: HeldID) throws(Refusal) {
      guard let place = run.state.heldActions.firstIndex(where: { $0.id == id }) else {
        guard run.state.linkBook.wasIssued(LinkID(id.number)) else {
          throw Refusal(
            .invalid, "no held action has had the id \(id)", faults: [.init(pointer: "/held", detail: "must be the id of a held action")])
        }
        throw Refusal(.actionGone, "\(id) is no longer held")
      }
      drop(&run, at: place, "cancelled")
    }

    /// Drops the held action at an index. `why` is the reason in the event.
    static func drop(_ run: inout Run, at place: Int, _ why: String) {
      let held = run.state.heldActions.remove(at: place)
      run.report.note(Event(.actionDropped, reason: why, held: held.id))
    }
  }
#endif
