import CairnAPI
import CairnCore

// Plays a client's period without a network, and then the delivery of the actions that it queued, in the way the service handles them.
extension ScenarioRun {
  /// Runs the actions of the user on a copy of the session, as the client's engine predicts them, and stores them for `deliver`. A gesture that changes
  /// nothing is not stored. The result contains the tree that the client shows. Throws if the client would refuse an action.
  mutating func leave(_ taps: [Value]) throws(Refusal) -> Played {
    let report = try reportContact()
    var queue = OfflineQueue(showing: state, first: lastNumber + 1)
    queue.report = report
    var client = self
    for tap in taps {
      do throws(Refusal) {
        let (action, isGesture) = try client.bound(tap)
        let outcome = try client.take(.action(action)).outcome
        client.remember()
        if isGesture, outcome == Outcome.unchanged.rawValue { continue }
        queue.append(action, showing: client.state)
      } catch {
        throw Refusal(error.code, "without a network, \(tap.actionName) is refused: \(error.detail)", faults: error.faults)
      }
    }
    self.queue = queue
    var played = Played(outcome: "unchanged")
    played.shown = client.look().tree
    return played
  }

  /// Posts `contact` as the client of an app that works offline does while it has a network. Returns the body of the request; `nil` if the app does not
  /// work offline. Throws if `contact` is refused.
  private mutating func reportContact() throws(Refusal) -> Value? {
    guard reducer.definition.offlineFor != nil else { return nil }
    lastNumber += 1
    let before = state
    _ = try run(.action(.contact), sender: Sender(client: OfflineQueue.client, number: lastNumber))
    if state.revision != before.revision { delivered.append(state) }
    remember()
    return ["client": .string(OfflineQueue.client), "first": .integer(lastNumber), "actions": [OfflineQueue.contact]]
  }

  /// Whether the session holds an action for its clients.
  package var isHolding: Bool { !state.heldActions.isEmpty }

  /// Returns the action with its names resolved, and whether it is a gesture. If the action has no `from`, adds the node that the user
  /// sees. Throws if the action is invalid.
  private func bound(_ tap: Value) throws(Refusal) -> (action: Value, isGesture: Bool) {
    var action = tap.naming(names, state: openState)
    guard case .action(let read)? = try commands(of: action).first else { return (action, false) }
    if action["from"] == nil, let node = read.origin(seeing: state) { action.set(.string(node.description), at: ["from"]) }
    return (action, read.kind.isGesture)
  }

  /// Delivers the stored actions. Each action runs separately. While it runs, the nodes that others have put on top, and that the user has not seen,
  /// are lifted off the tree. The result contains the refused actions. Throws if no queue is stored, or if an action cannot be posted as a numbered
  /// action.
  mutating func deliver() throws(Refusal) -> Played {
    guard var queue else { throw Refusal(.invalid, "online needs offline before it") }
    self.queue = nil
    if isHolding { queue.appendContact() }
    lastNumber = queue.last
    var played = Played(outcome: "unchanged")
    played.refusals = []
    for (action, item) in zip(queue.actions, try queue.items()) {
      let before = state
      do throws(Refusal) {
        let command = try queue.command(of: item, by: reducer)
        let sender = Sender(client: OfflineQueue.client, number: item.number)
        played.add(Played(try run(command, sender: sender, covers: queue.covers.covers(since: queue.seen))))
      } catch {
        played.add(Played.Refusal(error), of: action)
      }
      queue.note(item, from: before, to: state)
      if state.revision != before.revision { delivered.append(state) }
      remember()
    }
    return played
  }
}
