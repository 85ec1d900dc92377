import CairnCore
import CairnDefinition

// Entries that wait until the client has sent what its user did before (`deliver: settled`).
extension OfflineTrial {
  /// Whether the definition has notifications that wait for the clients.
  var settles: Bool { catalogue.definition.notifications.take.contains { $0.isSettled } }

  /// The state in which the service waits for the client, because the client has reported itself.
  func reported(_ state: State) -> State? {
    var next = state
    return (try? player.report(to: &next)) == nil ? nil : next
  }

  /// The delivery after an entry that the service holds for the client; `nil` if it performs the entry at once. In `contact`, the client has reported itself.
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

  /// How an entry that removes something can wait for the client, as the last words of a finding; `nil` if it cannot. What the user does with a
  /// notification is no removal of others.
  func remedy(against entry: Move) -> String? {
    switch entry.deed {
    case .action(.step): "unless it is posted with deliver: settled"
    case .action(.notification(_, _, tap: false, _, let message)) where message.action == nil && message.reply == nil:
      "unless its rule has deliver: settled"
    default: nil
    }
  }

  /// Performs the held entry after a queue, as if the client had sent everything, and records what is lost then. The client shows the lock of `tap`.
  func release(after tap: Tap, _ before: Delivery, _ faults: inout [Observation: Fault]) {
    var delivery = before
    guard let transition = try? player.report(to: &delivery.state) else { return }
    if let dropped = transition.events.first(where: { $0.type == .actionDropped }) {
      if delivery.isPossible { note(.missed, "the held action is dropped: \(dropped.reason ?? "")", delivery, &faults) }
      return
    }
    let handled = Set(transition.events.filter { $0.type == .didNavigate }.compactMap(\.step))
    let left = Set(delivery.state.outlines.map(\.number))
    for flow in before.state.outlines where !left.contains(flow.number) {
      guard let details = flow.details, let step = details.awaitedStep, !handled.contains(step) else { continue }
      note(.lost, "\(details.name) is removed without a result", delivery, &faults)
    }
    // The entry came before the lock that the queue has presented, so it does not mean to remove it.
    guard let shown = tap.lock else { return }
    let lock = delivery.ids[shown.node] ?? shown.node
    guard lock.number >= delivery.made.lowerBound, !ModalOutlook(of: delivery.state).contains(lock) else { return }
    note(.lifted, "\(shown.name), which the client shows, is gone", delivery, &faults)
  }
}

extension NodeOutline.Details {
  /// The step that the result of the flow is sent with; `nil` if nobody waits for it, or if a step is sent when the flow is removed.
  fileprivate var awaitedStep: String? {
    guard let resultReceiver, resultReceiver.otherwise == nil, steps.removed == nil else { return nil }
    return resultReceiver.then?.step
  }
}
