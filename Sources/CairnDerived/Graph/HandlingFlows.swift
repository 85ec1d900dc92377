import CairnCore

/// Finds the flows that receive a step: the flow to which the step is sent or, if that flow does not handle the step and steps bubble, the
/// first flows above it that do.
struct HandlingFlows {
  private let definition: Definition
  /// For each flow, the flows that create it, in order.
  private let makers: [String: [String]]
  /// For each step, the flows that handle or adapt it, sorted.
  private let handlers: [String: [String]]
  /// The receivers found so far, by step and flow.
  private var found: [Sending: [String]] = [:]

  private struct Sending: Hashable {
    var step: String
    var flow: String
  }

  init(_ definition: Definition, makers: [String: [String]]) {
    self.definition = definition
    self.makers = makers
    var handlers: [String: [String]] = [:]
    for (name, flow) in definition.flows.sortedByKey {
      for step in Set(flow.handle.keys).union(flow.adapt.keys) { handlers[step, default: []].append(name) }
    }
    self.handlers = handlers
  }

  /// The flows that receive a step sent to `flow`, the nearest first. The search runs only once per step and flow, because its result is
  /// stored.
  mutating func handlingFlows(of step: String, from flow: String) -> [String] {
    let sending = Sending(step: step, flow: flow)
    if let known = found[sending] { return known }
    let handlingFlows = search(step, from: flow)
    found[sending] = handlingFlows
    return handlingFlows
  }

  private func search(_ step: String, from flow: String) -> [String] {
    guard handlers[step] != nil else { return [] }
    var handlingFlows: [String] = []
    var queue = [flow]
    var seen: Set = [flow]
    var next = 0
    while next < queue.count {
      let name = queue[next]
      next += 1
      guard let flow = definition.flows[name] else { continue }
      if flow.handle[step] != nil || flow.adapt[step] != nil {
        handlingFlows.append(name)
      } else if definition.unhandled == .parent {
        for maker in makers[name] ?? [] where seen.insert(maker).inserted { queue.append(maker) }
      }
    }
    return handlingFlows
  }

  /// The flows that receive a step sent to the parent of `flow`.
  mutating func handlingFlows(of step: String, above flow: String) -> [String] {
    var all: [String] = []
    var seen: Set<String> = []
    for maker in makers[flow] ?? [] {
      for handlingFlow in handlingFlows(of: step, from: maker) where seen.insert(handlingFlow).inserted { all.append(handlingFlow) }
    }
    return all
  }

  /// The flows that receive a step which `flow` sends; `nil` if the template has no `to`.
  mutating func handlingFlows(of template: StepTemplate, sentBy flow: String) -> [String]? {
    let step = template.step
    return switch template.to {
    case nil: nil
    case .parent?: handlingFlows(of: step, above: flow)
    case .current?: handlingFlows(of: step, from: flow)
    case .root?: handlingFlows(of: step, from: definition.root.flow ?? "")
    case .all?: everyHandlingFlow(of: step)
    case .flow(let name)?: handlingFlows(of: step, from: name)
    }
  }

  /// All flows that handle or adapt the step, sorted.
  func everyHandlingFlow(of step: String) -> [String] { handlers[step] ?? [] }
}
