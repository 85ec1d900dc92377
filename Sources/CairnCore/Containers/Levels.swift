/// Presents modals on levels. Also shows waiting modals and overlays, and removes overlays and modals on levels together with their flow.
enum Levels {
  /// Maximum number of waiting modals and overlays in a session.
  static let waitingLimit = 16

  /// Performs the operation `present` with a level. The modal's parent is the root, and its owner the handling flow. If another modal occupies the level,
  /// `replace` removes that modal, and `queue` lets the new modal wait. With neither, throws `already-presenting`. Throws `flow-gone` if the owner is not in
  /// the tree.
  static func present(
    _ run: inout Run, _ template: NodeTemplate, _ place: Operation.Level, style: PresentationStyle, replace: Bool,
    in context: borrowing InstructionContext
  ) throws(Refusal) {
    let owner = Flows.contributor(run, for: context.flow)
    guard run.state.stands(owner) else { throw Refusal(.flowGone, "the node that would present the modal no longer exists") }
    let holder = run.state.nodes.levels.first { run.state.nodes.record($0)?.level == place.number }
    if let holder, replace {
      Removal.remove(&run, holder)
    } else if let holder, !place.queue {
      throw Refusal(.alreadyPresenting, "\(Children.name(run, of: holder)) is already presented on level \(place.number)")
    }
    let isTaken =
      holder != nil && !replace
      || place.queue && run.state.nodes.waiting.contains { run.state.nodes.record($0)?.shownLevel == place.number }
    if isTaken { try checkQueue(run) }
    let id = try Making.make(&run, template, owner: owner, parent: run.state.root, scope: context.scope)
    Modals.dress(&run, id, style)
    run.state.nodes.setLevel(place.number, waits: isTaken, of: id)
  }

  /// Throws `already-presenting` if the maximum number of modals and overlays is already waiting.
  static func checkQueue(_ run: borrowing Run) throws(Refusal) {
    guard run.state.nodes.waiting.count < waitingLimit else {
      throw Refusal(.alreadyPresenting, "the maximum of \(waitingLimit) modals and overlays is already queued")
    }
  }

  /// Presents the waiting modals whose level is free, and the waiting overlays whose slot is free, the oldest first.
  static func presentWaiting(_ run: inout Run) {
    guard run.state.nodes.hasLevels else { return }
    for id in run.state.nodes.waiting {
      guard let record = run.state.nodes.record(id) else { continue }
      let isFree =
        record.isOverlay
        ? Overlays.overlay(run.state, in: run.state.nodes.details(of: id).slot ?? "") == nil
        : !run.state.nodes.levels.contains { run.state.nodes.record($0)?.level == record.level }
      if isFree { run.state.nodes.setLevel(record.level, waits: false, of: id) }
    }
  }

  /// Removes each overlay and each modal on a level whose flow has ended or left the tree, because no flow would handle its steps. Includes
  /// waiting overlays and modals.
  static func removeOrphans(_ run: inout Run) {
    guard run.state.nodes.hasLevels else { return }
    // Removing one orphan may create others.
    while let orphan = (run.state.nodes.waiting + run.state.nodes.overlays + run.state.nodes.levels.reversed()).first(where: {
      isOrphan(run, $0)
    }) {
      Removal.remove(&run, orphan)
    }
  }

  private static func isOrphan(_ run: borrowing Run, _ modal: NodeID) -> Bool {
    guard let owner = run.state.nodes.record(modal)?.ownerID else { return true }
    return !run.state.isAlive(flow: owner) || !run.state.stands(owner)
  }

  /// Throws `hidden` if a higher level covers the node, or if the node waits for its level. No step or gesture of a client reaches such a
  /// node, even with `covered: accept`.
  static func checkLevel(_ run: borrowing Run, _ record: NodeRecord) throws(Refusal) {
    guard isBelowLevel(run.state, record) else { return }
    let front = run.state.nodes.levels.last.map { Children.name(run, of: $0) } ?? ""
    let why = isWaiting(run.state, record.nodeID) ? "is queued and not presented yet" : "is covered by \(front), which is on a higher level"
    throw Refusal(.hidden, "\(run.state.nodes.name(of: record)) (\(record.nodeID)) \(why)")
  }

  /// The root of the window that contains a node: a modal that is on a level or waits for one, an overlay, or the root of the tree; `nil` if the state has no
  /// root. A flow outside the tree belongs to the window of its parent flow.
  static func window(_ state: State, of record: NodeRecord) -> NodeRecord? {
    var here = record
    while here.level == 0, here.nodeID != state.root {
      guard let next = (here.parentID ?? here.ownerID).flatMap({ state.nodes.record($0) }) else { return state.nodes.record(state.root) }
      here = next
    }
    return here
  }

  /// Whether a higher level covers the window of a node, or whether that window waits for its level or slot. Clients cannot reach such a node.
  static func isBelowLevel(_ state: State, _ record: NodeRecord) -> Bool {
    guard state.nodes.hasLevels, let window = window(state, of: record) else { return false }
    guard !window.waits, let front = state.nodes.levels.last.flatMap({ state.nodes.record($0) }) else { return window.waits }
    return window.isOverlay || window.level < front.level
  }

  /// Whether a node is in a window that waits for its level. Clients do not see such a node.
  static func isWaiting(_ state: State, _ id: NodeID) -> Bool {
    guard !state.nodes.waiting.isEmpty, let record = state.nodes.record(id) else { return false }
    return window(state, of: record)?.waits ?? false
  }
}
