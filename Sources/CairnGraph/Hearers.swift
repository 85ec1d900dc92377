import CairnCore

/// Who hears a step: the flow that it is sent to, or with bubbling the first one above that handles it.
struct Hearers {
  private let definition: Definition
  /// For each flow those that make it, in order.
  private let makers: [String: [String]]

  init(_ definition: Definition, makers: [String: [String]]) {
    self.definition = definition
    self.makers = makers
  }

  /// The flows that a step comes to that is sent to one; in order.
  func hearers(of step: String, from flow: String) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    var next = [flow]
    while !next.isEmpty {
      let name = next.removeFirst()
      guard seen.insert(name).inserted, let flow = definition.flows[name] else { continue }
      if flow.handle[step] != nil || flow.adapt[step] != nil {
        found.append(name)
      } else if definition.unhandled == .parent {
        next += makers[name] ?? []
      }
    }
    return found
  }

  /// The flows that it comes to when it is sent to the parent of one.
  func hearers(of step: String, above flow: String) -> [String] {
    var found: [String] = []
    for maker in makers[flow] ?? [] {
      for hearer in hearers(of: step, from: maker) where !found.contains(hearer) { found.append(hearer) }
    }
    return found
  }

  /// The flows that a step comes to which a flow sends; `usual`: where it says nothing of who gets it.
  func hearers(of template: StepTemplate, sentBy flow: String, usual: [String]) -> [String] {
    let step = template.step
    return switch template.to {
    case nil: usual
    case .parent?: hearers(of: step, above: flow)
    case .current?: hearers(of: step, from: flow)
    case .root?: hearers(of: step, from: root)
    case .all?: everyHearer(of: step)
    case .flow(let name)?: hearers(of: step, from: name)
    }
  }

  /// The root flow's name.
  private var root: String { definition.root.flow ?? "" }

  /// All flows that do something with it.
  func everyHearer(of step: String) -> [String] {
    definition.flows.filter { $0.value.handle[step] != nil || $0.value.adapt[step] != nil }.keys.sorted()
  }
}
