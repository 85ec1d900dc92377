import CairnCore

extension Lint {
  /// Reports guards whose question cannot be answered. A handler of a step that follows from the question answers it by `proceed`, or by
  /// the removal of a node. A handler of a step of the guarded node answers it only by `proceed`.
  func guardsWithoutAnswer() -> [Finding] {
    asking.compactMap { making, maker in
      guard let ask = making.contribution.leave?.ask?.step else { return nil }
      let sites = around(maker).flatMap { operationsOfFlow[$0] }
      let (following, own) = (steps(following: ask, among: sites), steps(of: making.contribution))
      // If the guarded node is not a modal, a `dismiss` only closes the question.
      let dialog: Set<OperationParts.Removal> = making.arrival.way.isModal ? [] : [.modal]
      let goesOn = sites.contains { site in
        site.operation == .proceed && (following.contains(site.step) || own.contains(site.step))
          || !site.parts.removals.subtracting(dialog).isEmpty && following.contains(site.step)
      }
      guard !goesOn else { return nil }
      let (kind, name) = Self.named(making)
      return Finding(
        position: places.name("\(kind)s", name),
        message:
          "nothing answers the question that is asked before the \(kind) `\(name)` is removed: add `proceed` to the handler of the answer")
    }
  }

  /// Returns the step and all steps that can follow from it: the steps that its handlers send, the steps that the created nodes may send,
  /// and the steps that follow from these.
  private func steps(following step: String, among sites: [OperationSite]) -> Set<String> {
    var found: Set<String> = [step]
    var new = [step]
    while let next = new.popLast() {
      for site in sites where site.step == next {
        let sent = site.parts.templates.map(\.step) + site.parts.makes.flatMap { steps(of: $0.contribution) }
        for step in sent where found.insert(step).inserted { new.append(step) }
      }
    }
    return found
  }

  /// Returns the steps that a node may emit. For a flow, these include all steps that it and the flows below it handle. For a screen, the
  /// steps in the `emits` of flows count only if the screen's own `emits` is empty: a screen with steps of its own, such as a question, is
  /// answered by these steps.
  private func steps(of contribution: Contribution) -> Set<String> {
    let shared = definition.flows.values.reduce(into: Set<String>()) { $0.formUnion($1.emits) }
    if let screen = contribution.screen {
      // Without a list of its steps, the screen may emit every step.
      guard let emits = definition.screens[screen]?.emits else { return Set(definition.steps.keys) }
      return emits.isEmpty ? shared : emits
    }
    guard let flow = contribution.flow.flatMap(graph.number) else { return shared }
    let below = graph.below([flow])
    return graph.names.indices.filter { below[$0] || $0 == flow }.reduce(into: shared) {
      $0.formUnion(definition.flows[graph.names[$1]]?.handle.keys.map { $0 } ?? [])
    }
  }

  /// Reports handlers that remove the guarded node themselves instead of performing the stopped action by `proceed`. The user's original
  /// action, such as a link, is then lost.
  func answersThatRemove() -> [Finding] {
    var found: [String: Finding] = [:]
    for (making, maker) in asking {
      guard let ask = making.contribution.leave?.ask?.step else { continue }
      let flows = around(maker)
      let dialogs = flows.flatMap { operationsOfFlow[$0] }.filter { $0.step == ask }.flatMap(\.parts.makes).compactMap(
        \.contribution.screen)
      let answers = Set(dialogs.flatMap { definition.screens[$0]?.emits ?? [] })
      for flow in flows {
        let handlers = Dictionary(grouping: operationsOfFlow[flow].filter { answers.contains($0.step) }) { $0.step }
        for (step, sites) in handlers where !sites.contains(where: { $0.operation == .proceed }) {
          guard let site = sites.first(where: { isRemoval($0, of: making) }) else { continue }
          let (kind, name) = Self.named(making)
          found["\(site.flow) \(step) \(site.branch) \(site.index)"] = Finding(
            position: places.value(of: site),
            message: "`\(step)` answers the question before the \(kind) `\(name)` is removed; write `proceed` instead of `\(site.word)`, "
              + "so that the action that the guard stopped (Back, a link or a tab) continues")
        }
      }
    }
    return found.sortedByKey.map(\.value)
  }

  /// Reports questions that are shown below the level of the asking node, where the user cannot answer them.
  func questionsUnderLevels() -> [Finding] {
    asking.flatMap { making, maker in
      guard case .raised(_, let level) = making.arrival.way, let ask = making.contribution.leave?.ask?.step else { return [Finding]() }
      let (kind, name) = Self.named(making)
      return operationsOfFlow[maker].compactMap { site in
        guard site.step == ask, case .present(_, _, let anchor, _, let place) = site.operation, anchor != .screen,
          place?.number ?? 0 <= level
        else { return nil }
        return Finding(
          position: places.value(of: site),
          message:
            "the question before the \(kind) `\(name)` is removed is covered by level \(level); add `of: screen` to `present`, so that it "
            + "is shown over the \(kind)")
      }
    }
  }

  /// The nodes with a guard that asks, and the numbers of the flows that create them.
  private var asking: [(making: Making, maker: Int)] {
    makings.compactMap { making in
      guard making.contribution.leave?.ask != nil, let maker = making.maker.flatMap(graph.number) else { return nil }
      return (making, maker)
    }
  }

  /// The numbers of the flows that may handle the steps of a node created by `flow`: the flow itself, the flows above it, and the flows
  /// below it.
  private func around(_ flow: Int) -> [Int] {
    let (above, below) = (graph.above([flow]), graph.below([flow]))
    return graph.names.indices.filter { above[$0] || below[$0] }
  }

  /// Whether an operation certainly removes the node that `making` creates.
  private func isRemoval(_ site: OperationSite, of making: Making) -> Bool {
    switch site.operation {
    case .give: making.contribution.flow == site.flow
    case .pop, .popToRoot: making.arrival.way == .pushed && site.flow == making.maker
    case .dismiss(let place?), .remove(let place, _): place.name == Self.named(making).name
    default: false
    }
  }

  private static func named(_ making: Making) -> (kind: String, name: String) {
    making.contribution.screen.map { ("screen", $0) } ?? ("flow", making.contribution.flow ?? "")
  }
}
