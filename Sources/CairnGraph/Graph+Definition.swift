package import CairnCore

extension Graph {
  /// Draws a definition.
  package init(_ definition: Definition) {
    var drawing = Drawing(definition)
    for flow in definition.flows.keys.sorted() { drawing.draw(flow) }
    drawing.drawArrivals()
    let clusters = definition.flows.sorted { $0.key < $1.key }.map { name, flow in
      Cluster(
        flow: name, container: flow.container, screens: (drawing.screens[name] ?? []).sorted(),
        isRoot: definition.root.target == .flow(name))
    }
    self.init(app: definition.app, clusters: clusters, arrows: drawing.arrows)
  }
}

/// Collects the arrows of a definition; each once, in the order of the flows' and steps' names.
private struct Drawing {
  let definition: Definition
  /// The screens that each flow contributes.
  var screens: [String: Set<String>] = [:]
  /// For each flow its screens, in order, whose contract has a step.
  private var emitters: [String: [String: [String]]] = [:]
  /// For each flow its screens that are asked before they go, by the step that they answer.
  private var askers: [String: [String: Set<String>]] = [:]
  /// For each screen the first flow that contributes it.
  private var homes: [String: String] = [:]
  /// For each flow those that contribute it, in order.
  private var makers: [String: [String]] = [:]
  private(set) var arrows: [Graph.Arrow] = []
  private var seen: Set<Graph.Arrow> = []

  init(_ definition: Definition) {
    self.definition = definition
    for (name, flow) in definition.flows.sorted(by: { $0.key < $1.key }) {
      for arrival in flow.arrivals + flow.made {
        switch place(arrival, in: name) {
        case .screen(let screen, let home):
          screens[home, default: []].insert(screen)
          if let step = arrival.contribution.leave?.step?.step { askers[home, default: [:]][step, default: []].insert(screen) }
        // The flows come in order, so one that is there already is the last.
        case .flow(let other): if other != name, makers[other]?.last != name { makers[other, default: []].append(name) }
        }
      }
    }
    for (flow, steps) in askers {
      for (step, screens) in steps { emitters[flow, default: [:]][step] = screens.sorted() }
    }
    for (flow, screens) in screens.sorted(by: { $0.key < $1.key }) {
      for screen in screens.sorted() {
        if homes[screen] == nil { homes[screen] = flow }
        for step in definition.screens[screen]?.emits ?? [] { emitters[flow, default: [:]][step, default: []].append(screen) }
      }
    }
  }

  mutating func draw(_ name: String) {
    guard let flow = definition.flows[name] else { return }
    for arrival in flow.arrivals {
      let kind: Graph.Kind = flow.container == .tabs ? .tab : .birth
      add(.flow(name), place(arrival, in: name), arrival.contribution.start.first?.step ?? "", kind)
    }
    for (step, handler) in flow.handle.sorted(by: { $0.key < $1.key }) {
      for operation in handler.branches.flatMap(\.operations) {
        for (place, kind) in destinations(of: operation, in: name) {
          for origin in origins(of: step, in: name) { add(origin, place, step, kind) }
        }
      }
    }
  }

  /// Links and rules lead to the flow that handles their step.
  mutating func drawArrivals() {
    guard case .flow(let root) = definition.root.target else { return }
    for start in definition.root.start { add(.flow(root), .flow(root), start.step, .birth) }
  }

  private mutating func add(_ from: Graph.Place, _ to: Graph.Place, _ label: String, _ kind: Graph.Kind) {
    let arrow = Graph.Arrow(from: from, to: to, label: label, kind: kind)
    if seen.insert(arrow).inserted { arrows.append(arrow) }
  }

  /// The screens of the flow whose contract names the step; the flow itself when none does.
  private func origins(of step: String, in flow: String) -> [Graph.Place] {
    emitters[flow]?[step].map { screens in screens.map { .screen($0, of: flow) } } ?? [.flow(flow)]
  }

  private func place(_ arrival: Arrival, in flow: String) -> Graph.Place {
    switch arrival.contribution.target {
    case .screen(let screen):
      if case .onChild(let child) = arrival.way { .screen(screen, of: child) } else { .screen(screen, of: flow) }
    case .flow(let other): .flow(other)
    }
  }

  private func destinations(of operation: Operation, in flow: String) -> [(Graph.Place, Graph.Kind)] {
    let parts = operation.parts
    var destinations = parts.makes.filter { !$0.isUnder(parts.makes) }.map { (place($0, in: flow), $0.way.kind) }
    for goal in parts.goals {
      switch goal {
      case .front(let screen), .back(let screen):
        if let home = home(of: screen, near: flow) { destinations.append((home, .back)) }
      case .frontFlow(let flow): destinations.append((.flow(flow), .back))
      case .removed, .tab: break
      }
    }
    if parts.removals.contains(.flow) {
      // Who contributes it gets its ending step.
      destinations += (makers[flow] ?? []).map { (.flow($0), .end) }
    }
    return destinations
  }

  private func home(of screen: String, near flow: String) -> Graph.Place? {
    if screens[flow]?.contains(screen) == true { return .screen(screen, of: flow) }
    return homes[screen].map { .screen(screen, of: $0) }
  }
}

extension FlowDefinition {
  /// What its handlers make.
  fileprivate var made: [Arrival] {
    handle.values.flatMap { $0.branches.flatMap(\.operations).flatMap(\.parts.makes) }
  }
}

extension Arrival {
  /// Whether it is the child of a switch on which one of these goes: the arrow leads to what is on top.
  fileprivate func isUnder(_ others: [Arrival]) -> Bool {
    guard case .flow(let flow) = contribution.target, way == .child else { return false }
    return others.contains { $0.way == .onChild(flow: flow) }
  }
}

extension Arrival.Way {
  fileprivate var kind: Graph.Kind {
    switch self {
    case .pushed: .push
    case .replacing, .stacked: .replace
    case .presented: .present
    case .tab: .tab
    case .master: .birth
    case .detail: .detail
    case .child, .onChild: .show
    }
  }
}
