import CairnCore
import CairnDefinition

// Handles entries that wait until the client has sent the earlier actions of its user (`deliver: settled`).
extension OfflineTrial {
  /// Whether the definition has notifications that wait for the clients.
  var settles: Bool { catalogue.definition.notifications.take.contains { $0.isSettled } }

  /// Returns the state after the client has reported itself, in which the service waits for the client; `nil` if the report is refused.
  func reported(_ state: State) -> State? {
    var next = state
    return (try? player.report(to: &next)) == nil ? nil : next
  }

  /// The delivery after an entry that the service holds for the client; `nil` if the service performs the entry at once. `contact` is a
  /// state in which the client has reported itself.
  func holding(_ entry: Move, since contact: State) -> Delivery? {
    guard case .action(.notification) = entry.deed else { return nil }
    var held = contact
    guard (try? player.make(entry, on: &held, depth: 0)) != nil, !held.heldActions.isEmpty else { return nil }
    var delivery = Delivery(
      entry: entry, seen: contact.revision, arrived: held, made: held.nextNode..<held.nextNode, alerts: [], openLock: nil, remedy: nil,
      state: held)
    delivery.holds = true
    var atOnce = held
    delivery.isPossible = (try? player.report(to: &atOnce).events.contains { $0.type == .actionDropped }) == false
    return delivery
  }

  /// How an entry that removes something can wait for the client, as the last words of a finding; `nil` if it cannot. A notification on which the user acts
  /// must not wait.
  func remedy(against entry: Move) -> String? {
    switch entry.deed {
    case .action(.step): "unless it is posted with deliver: settled"
    case .action(.notification(_, _, tap: false, _, let message)) where message.action == nil && message.reply == nil:
      "unless its rule has deliver: settled"
    default: nil
    }
  }

  /// Performs the held entry after a queue, as if the client had sent everything, and records the losses.
  /// `tap` is the last action of the queue; the client shows its lock.
  func release(after tap: Tap, _ before: Delivery, _ faults: inout [Observation: Fault]) {
    var delivery = before
    guard let transition = try? player.report(to: &delivery.state) else { return }
    if let dropped = transition.events.first(where: { $0.type == .actionDropped }) {
      if delivery.isPossible { note(.missed, "the held action is dropped: \(dropped.reason ?? "")", delivery, &faults) }
      return
    }
    let left = Set(delivery.state.outlines.map(\.number))
    let removed = before.state.outlines.filter { !left.contains($0.number) }
    let handled = Set(transition.events.filter { $0.type == .didNavigate }.compactMap(\.step))
    let isTold = removed.contains { !handled.isDisjoint(with: $0.details?.farewells ?? []) }
    for node in removed where !isTold {
      guard let details = node.details else { continue }
      if details.resultReceiver?.then != nil { note(.lost, "\(details.name) is removed without a result", delivery, &faults) }
      if delivery.written.contains(node.number) {
        note(.lost, "\(details.name), whose content an action has changed, is removed", delivery, &faults)
      }
    }
    // The entry is older than the lock that the queue has presented, so it is not meant to remove the lock.
    guard let shown = tap.lock else { return }
    let lock = delivery.ids[shown.node] ?? shown.node
    guard lock.number >= delivery.made.lowerBound, !ModalOutlook(of: delivery.state).contains(lock) else { return }
    note(.lifted, "\(shown.name), which the client shows, is gone", delivery, &faults)
  }
}

extension OfflineTrial.Delivery {
  /// Records the nodes of an earlier state whose content has changed since then. Content without a value, such as during a load, does not count as changed.
  mutating func noteWritten(since old: State) {
    var values: [Int32: Value] = [:]
    for node in old.outlines { values[node.number] = node.details?.content?.value }
    for node in state.outlines where WideInt(node.number) < old.nextNode {
      if let value = node.details?.content?.value, value != values[node.number] { written.insert(node.number) }
    }
  }
}

extension NodeOutline.Details {
  /// The steps that report the end or the removal of the node to a flow.
  fileprivate var farewells: [String] {
    [resultReceiver?.then?.step, resultReceiver?.otherwise?.step, steps.removed?.step].compactMap(\.self)
  }
}
