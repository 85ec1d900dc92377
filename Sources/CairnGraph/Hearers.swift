import CairnCore

/// Finds the flows that receive a step: the flow that it is sent to or, with bubbling, the first flows above that handle it.
struct Hearers {
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
    for (name, flow) in definition.flows.sorted(by: { $0.key < $1.key }) {
      for step in Set(flow.handle.keys).union(flow.adapt.keys) { handlers[step, default: []].append(name) }
    }
    self.handlers = handlers
  }

  /// The flows that receive a step sent to `flow`, in order. The search runs once per step and flow.
  mutating func hearers(of step: String, from flow: String) -> [String] {
    let sending = Sending(step: step, flow: flow)
    if let known = found[sending] { return known }
    let hearers = search(step, from: flow)
    found[sending] = hearers
    return hearers
  }

  private func search(_ step: String, from flow: String) -> [String] {
    guard handlers[step] != nil else { return [] }
    var hearers: [String] = []
    var queue = [flow]
    var seen: Set = [flow]
    var next = 0
    while next < queue.count {
      let name = queue[next]
      next += 1
      guard let flow = definition.flows[name] else { continue }
      if flow.handle[step] != nil || flow.adapt[step] != nil {
        hearers.append(name)
      } else if definition.unhandled == .parent {
        for maker in makers[name] ?? [] where seen.insert(maker).inserted { queue.append(maker) }
      }
    }
    return hearers
  }

  /// The flows that receive a step sent to the parent of `flow`.
  mutating func hearers(of step: String, above flow: String) -> [String] {
    var all: [String] = []
    var seen: Set<String> = []
    for maker in makers[flow] ?? [] {
      for hearer in hearers(of: step, from: maker) where seen.insert(hearer).inserted { all.append(hearer) }
    }
    return all
  }

  /// The flows that receive a step which `flow` sends; `nil` if the template has no `to`.
  mutating func hearers(of template: StepTemplate, sentBy flow: String) -> [String]? {
    let step = template.step
    return switch template.to {
    case nil: nil
    case .parent?: hearers(of: step, above: flow)
    case .current?: hearers(of: step, from: flow)
    case .root?: hearers(of: step, from: definition.root.flow ?? "")
    case .all?: everyHearer(of: step)
    case .flow(let name)?: hearers(of: step, from: name)
    }
  }

  /// All flows that handle or adapt the step, sorted.
  func everyHearer(of step: String) -> [String] { handlers[step] ?? [] }
}
