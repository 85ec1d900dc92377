import CairnCore

extension StepRules {
  /// Reports flows that end but stay in the tree, because the recipient of their last step removes nothing. The screens of an ended flow
  /// can send no step. Each step that an `end` sends is checked for its first recipients, separately for each flow that creates the ended
  /// flow.
  func flowsThatStay() -> [Finding] {
    let removers = Removers(lint)
    return operations.filter { $0.parts.removals.contains(.flow) }.flatMap { site -> [Finding] in
      guard let flow = graph.number(site.flow) else { return [] }
      let makers = graph.makers[flow].filter { $0 != flow }
      let ways = Dictionary(grouping: makings.filter { $0.contribution.flow == site.flow }) { $0.maker ?? "" }
      return site.parts.sends.compactMap { sending in
        let step = sending.template.step
        let target = sending.to.target(in: definition).flatMap(graph.number)
        let deaf = (target.map { [$0] } ?? (sending.to == .parent ? makers : [])).filter { first in
          guard let handlingFlows = handlingFlows(of: step, from: first, except: flow) else { return false }
          // The ways in which this flow creates the ended flow. They matter because, for example, a dismiss does not remove an instance
          // that was pushed.
          let ways = ways[graph.names[first]] ?? ways.values.flatMap(\.self)
          return !handlingFlows.isEmpty
            && !ways.allSatisfy { way in handlingFlows.contains { removers.takesAway(flow, way, at: step, in: $0) } }
        }
        guard !deaf.isEmpty, !makers.isEmpty else { return nil }
        guard sending.to == .parent else {
          return Finding(
            position: places.value(of: site),
            message:
              "the flow `\(site.flow)` stays in the tree after its end: no flow that handles `\(step)` removes it, and an ended flow receives no steps"
          )
        }
        let names = deaf.map { "`\(graph.names[$0])`" }.joined(separator: ", ")
        return Finding(
          position: places.value(of: site),
          message:
            "the flow `\(site.flow)` stays in the tree after its end: \(names), which creates it, does not remove it at `\(step)`, "
            + "and an ended flow receives no steps"
        )
      }
    }
  }

  /// The flows that first receive a step sent to a flow; `nil` if a flow on the way replaces the step, so that the receivers are unknown.
  private func handlingFlows(of step: String, from maker: Int, except ended: Int) -> [Int]? {
    var handlingFlows: [Int] = []
    var seen: Set<Int> = [ended]
    var next = [maker]
    while let flow = next.popLast() {
      guard seen.insert(flow).inserted, let definition = definition.flows[graph.names[flow]] else { continue }
      if definition.adapt[step] != nil { return nil }
      if definition.handle[step] != nil {
        handlingFlows.append(flow)
      } else if self.definition.unhandled == .parent {
        next += graph.makers[flow]
      }
    }
    return handlingFlows
  }
}

/// The steps and operations that remove a flow's node, at once or through later steps.
private struct Removers {
  private let lint: Lint
  private let handlingFlows: [String: [OperationSite]]
  /// For each flow, whether it is presented or is inside a flow that is presented.
  private let isInModal: [Bool]

  init(_ lint: Lint) {
    self.lint = lint
    handlingFlows = Dictionary(grouping: lint.operations, by: \.step)
    let presented = lint.makings.filter(\.arrival.way.isModal).compactMap { $0.contribution.flow.flatMap(lint.graph.number) }
    isInModal = lint.graph.below(presented)
  }

  /// Whether the handler of the step in `handlingFlow` removes a flow that was created as `way` describes.
  func takesAway(_ flow: Int, _ way: Making, at step: String, in handlingFlow: Int) -> Bool {
    let name = lint.graph.names[handlingFlow]
    var seen: Set<String> = [step]
    return (handlingFlows[step] ?? []).contains { $0.flow == name && takesAway(flow, way, $0, &seen) }
  }

  private func takesAway(_ flow: Int, _ way: Making, _ site: OperationSite, _ seen: inout Set<String>) -> Bool {
    var removals = site.parts.removals
    if !closes(way, by: site.operation) { removals.remove(.modal) }
    if !removals.isEmpty { return true }
    let written = Set(site.parts.writes)
    let followers =
      site.parts.templates.map(\.step)
      + lint.definition.rules.filter { !$0.when.facts.isDisjoint(with: written) }.map(\.step.step)
    for step in followers where seen.insert(step).inserted {
      for other in handlingFlows[step] ?? [] where takesAway(flow, way, other, &seen) { return true }
    }
    return false
  }

  /// Whether an operation that closes modals may remove the flow: the flow is inside a modal, or it is a modal that the operation can name.
  private func closes(_ way: Making, by operation: Operation) -> Bool {
    let isInside = way.maker.flatMap(lint.graph.number).map { isInModal[$0] } ?? false
    if isInside { return true }
    switch operation {
    case .dismiss(let place?), .remove(let place, all: false):
      return way.arrival.way.isModal && place.kind != .screen && place.name == way.contribution.flow
    default: return way.arrival.way.isModal
    }
  }
}
