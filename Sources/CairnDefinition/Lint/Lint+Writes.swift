import CairnCore

extension Lint {
  /// Reports operations with `of: F` in a handler of F itself, for a step that F receives at its creation or that is sent to all flows. No
  /// screen sent such a step, so the operation always applies to the frontmost instance of F, even if another instance handles the step.
  func flowsInFront() -> [Finding] {
    let broadcast = Set(definition.templates.filter { $0.to == .all }.map(\.step))
    return operations.compactMap { site in
      guard site.operation.writesContent, site.operation.place == .flow(site.flow), mayBeSeveral(site.flow) else { return nil }
      let starts = makings.contains { $0.contribution.flow == site.flow && $0.contribution.start.contains { $0.step == site.step } }
      guard starts || broadcast.contains(site.step) else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "`of: \(site.flow)` applies to the flow `\(site.flow)` nearest to the front, which is not always the one that handles "
          + "`\(site.step)`, because that step \(starts ? "starts the flow" : "is sent to all flows")"
      )
    }
  }

  /// Reports operations that `add` to content although nothing creates content. Such operations have no effect.
  func sumsOfNothing() -> [Finding] {
    guard !createsContent else { return [] }
    return operations.compactMap { site in
      guard case .content(let edits, _) = site.operation, !edits.isEmpty else { return nil }
      return Finding(
        position: places.value(of: site),
        message: "`add` has no effect: it needs existing content, but nothing creates any; create the node with `content: {}`")
    }
  }

  /// Reports loads that replace the whole content of a flow although the flow has initial content, or other operations write single members
  /// of its content.
  func contentsThatAreReplaced() -> [Finding] {
    operations.compactMap { site in
      guard case .load(_, let anchor, let holder) = site.operation, let flow = holder?.name ?? (anchor == .flow ? site.flow : nil),
        holder?.kind ?? .flow == .flow
      else { return nil }
      let isBorn = makings.contains { $0.contribution.flow == flow && $0.contribution.content != nil }
      let isEdited = operations.contains {
        if case .content(_, let place?) = $0.operation { place.kind == .flow && place.name == flow } else { false }
      }
      guard isBorn || isEdited else { return nil }
      return Finding(
        position: places.value(of: site),
        message:
          "the load replaces all content of the flow `\(flow)`, including \(isBorn ? "its initial content" : "the members that `content` with `of: \(flow)` writes")"
      )
    }
  }

  /// Whether several instances of a flow can exist, because a handler creates it or because it is created in several places.
  private func mayBeSeveral(_ flow: String) -> Bool {
    let places = makings.filter { $0.contribution.flow == flow }
    let byHandlers = operations.contains { site in site.parts.makes.contains { $0.contribution.flow == flow } }
    return places.count > 1 || byHandlers
  }
}

extension Operation {
  /// Whether the operation writes content, when it runs or later.
  fileprivate var writesContent: Bool {
    switch self {
    case .content, .load: true
    default: false
    }
  }
}
