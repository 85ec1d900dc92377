/// Screens that are shown over the app and its modals without covering anything, such as a banner.
///
/// An overlay is below every level. A gesture affects an overlay only if it names the overlay's node, as `node` or as the `from` of a
/// dismissal. Navigation does not remove an overlay. The overlay is removed when its time has passed, when it is dismissed or replaced, or
/// when the flow that created it ends or leaves the tree.
enum Overlays {
  /// Performs the operation `overlay`. If the slot is occupied, `replace` removes the overlay in it, and `queue` lets the new overlay wait. With neither,
  /// throws `already-presenting`. Throws `flow-gone` if the flow that would own the overlay is not in the tree.
  static func show(
    _ run: inout Run, _ template: NodeTemplate, _ place: Operation.Overlay, in context: borrowing InstructionContext
  ) throws(Refusal) {
    let owner = Flows.contributor(run, for: context.flow)
    guard run.state.stands(owner) else { throw Refusal(.flowGone, "the flow that would handle the steps of the overlay no longer exists") }
    let holder = overlay(run.state, in: place.slot)
    if let holder, place.replace {
      Removal.remove(&run, holder)
    } else if let holder, !place.queue {
      throw Refusal(.alreadyPresenting, "\(Children.name(run, of: holder)) is already shown in the slot \(place.slot)")
    }
    let isTaken =
      holder != nil && !place.replace
      || place.queue && run.state.nodes.waiting.contains { isOverlay($0, in: place.slot, run.state) }
    if isTaken { try Levels.checkQueue(run) }
    // An overlay that a link shows does not count as the page that the link has opened.
    let linked = run.linked
    let id = try Making.make(&run, template, owner: owner, parent: run.state.root, scope: context.scope)
    run.linked = linked
    put(&run, id, in: place.slot, waits: isTaken)
    guard let time = place.time else { return }
    try Limits.checkEffects(run)
    try Effects.start(
      &run, .timer(name: nil, step: .closing, delay: time, period: nil, ticks: 0), owner: id, EffectTerms(isIdle: true))
  }

  /// Turns a new node whose parent is the root into an overlay. With `waits`, the overlay waits for its slot; otherwise it is shown.
  static func put(_ run: inout Run, _ id: NodeID, in slot: String, waits: Bool) {
    var terms = run.state.nodes.details(of: id).terms
    terms.slot = slot
    run.state.nodes.setDetails(run.state.nodes.details(of: id).with(terms), of: id)
    run.state.nodes.update(id) { $0.isOverlay = true }
    run.state.nodes.setLevel(1, waits: waits, of: id)
  }

  /// The overlay that is shown in a slot; `nil` if the slot is free.
  static func overlay(_ state: State, in slot: String) -> NodeID? { state.nodes.overlays.first { isOverlay($0, in: slot, state) } }

  private static func isOverlay(_ id: NodeID, in slot: String, _ state: State) -> Bool {
    state.nodes.details(of: id).slot?.isExactly(slot) == true
  }
}

extension Step {
  /// A placeholder for the step of a timer that sends none: the timer that closes an overlay, or the session's timer for the next moment. No step of
  /// a definition has this name.
  static let closing = Step("")
}

extension Effect {
  /// Whether the effect is a timer that sends no step: the timer that closes an overlay or, without an owner, the session's timer for the
  /// next moment. The time of an overlay's timer passes only while the overlay is shown and no level lies over the overlay.
  package var closes: Bool {
    if case .timer(_, let step, _, _, _) = work { step.step.isEmpty } else { false }
  }
}
