import CairnCore

// Finds the faults of a queue whose actions are not refused.
extension OfflineTrial {
  /// Compares an action that the service has run with the same action in the client. `old` is the service's state before the action.
  func judge(_ tap: Tap, _ transition: Transition, from old: State, _ delivery: Delivery, _ faults: inout [Observation: Fault]) {
    if !tap.results.isEmpty {
      let handled = Set(transition.events.filter { $0.type == .didNavigate }.map { "\($0.flow ?? "") \($0.step ?? "")" })
      for result in tap.results where !handled.contains(result) {
        note(.lost, "a result does not reach \(result)", delivery, remedy: delivery.remedy, &faults)
      }
    }
    let (before, modals) = (ModalOutlook(of: old), ModalOutlook(of: delivery.state))
    for alert in delivery.alerts where before.contains(alert) && !modals.contains(alert) {
      note(.missed, "\(before.name(of: alert)) is removed before it was seen", delivery, &faults)
    }
    if let lock = delivery.openLock, modals.contains(lock) {
      note(.lifted, "an action of the user runs under the modal \(modals.name(of: lock)), which is not sealed,", delivery, &faults)
    }
    judgeLock(tap, delivery, &faults)
  }

  /// Checks that the lock that the client shows after an action is in front in the service too. Only nodes that others have put on top may be in front of it.
  func judgeLock(_ tap: Tap, _ delivery: Delivery, _ faults: inout [Observation: Fault]) {
    guard let shown = tap.lock else { return }
    let lock = delivery.ids[shown.node] ?? shown.node
    // Others may remove a lock that the client knows from the service.
    let isKnown = lock == shown.node && lock.number < delivery.made.lowerBound
    if isKnown, !ModalOutlook(of: delivery.arrived).contains(lock) { return }
    let modals = ModalOutlook(of: delivery.state)
    let visible = modals.visible
    // A lock that others have presented protects the pages as well.
    if let front = visible.last, delivery.made.contains(front.number), isLock(front, among: modals) { return }
    guard modals.contains(lock) else { return note(.lifted, "\(shown.name), which the client shows, is gone", delivery, &faults) }
    let above = visible.firstIndex(of: lock).map { visible[($0 + 1)...] } ?? visible.suffix(1)
    guard let own = above.first(where: { !delivery.made.contains($0.number) }) else { return }
    note(.lifted, "\(shown.name), which the client shows, is covered by \(modals.name(of: own))", delivery, &faults)
  }

  /// Records a fault of the delivered queue, unless an earlier queue had the same fault.
  func note(
    _ kind: Finding.Kind, _ subject: String, _ delivery: Delivery, remedy: String? = nil, _ faults: inout [Observation: Fault]
  ) {
    let observation = Observation(kind: kind, subject: subject, reason: delivery.after)
    if faults[observation] == nil { faults[observation] = Fault(delivery, remedy: remedy) }
  }

  /// The modal in front, with its name, if it is a lock; otherwise `nil`.
  func lock(inFrontOf state: State) -> (node: NodeID, name: String)? {
    let modals = ModalOutlook(of: state)
    guard let front = modals.visible.last, isLock(front, among: modals) else { return nil }
    return (front, modals.name(of: front))
  }

  /// Whether a modal protects what is under it: it is sealed, or no gesture closes it.
  private func isLock(_ modal: NodeID, among modals: ModalOutlook) -> Bool { modals.isSealed(modal) || modals.isGuarded(modal) }

  /// Whether a modal is guarded, asks for a secret, such as a PIN, and is not sealed.
  func isOpenLock(_ modal: NodeID, among modals: ModalOutlook) -> Bool {
    guard modals.isGuarded(modal), !modals.isSealed(modal) else { return false }
    let definition = catalogue.definition
    return modals.screens(inside: modal).contains { screen in
      (definition.screens[screen]?.emits ?? []).contains { step in
        definition.steps[step]?.params.values.contains(where: \.isSecret) ?? false
      }
    }
  }
}
