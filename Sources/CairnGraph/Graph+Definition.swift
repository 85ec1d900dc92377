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
  private(set) var arrows: [Graph.Arrow] = []
  private var seen: Set<Graph.Arrow> = []

  init(_ definition: Definition) {
    self.definition = definition
    for (name, flow) in definition.flows {
      var targets = Drawing.contributions(of: flow.birth).map(\.target)
      for handler in flow.handle.values {
        for operation in handler.branches.flatMap(\.operations) { targets += operation.contributions.map(\.target) }
      }
      for case .screen(let screen) in targets { screens[name, default: []].insert(screen) }
      for handler in flow.handle.values {
        for case .show(let child, let shown?) in handler.branches.flatMap(\.operations) {
          guard case .screen(let screen) = shown.target else { continue }
          screens[name]?.remove(screen)
          screens[child, default: []].insert(screen)
        }
      }
    }
  }

  mutating func draw(_ name: String) {
    guard let flow = definition.flows[name] else { return }
    for contribution in Drawing.contributions(of: flow.birth) {
      add(.flow(name), place(contribution.target, in: name), contribution.start.first?.step ?? "", flow.container == .tabs ? .tab : .birth)
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
    let emitters = (screens[flow] ?? []).sorted().filter { definition.screens[$0]?.emits?.contains(step) ?? false }
    return emitters.isEmpty ? [.flow(flow)] : emitters.map { .screen($0, of: flow) }
  }

  private func place(_ target: Contribution.Target, in flow: String) -> Graph.Place {
    switch target {
    case .screen(let screen): .screen(screen, of: flow)
    case .flow(let other): .flow(other)
    }
  }

  private func destinations(of operation: Operation, in flow: String) -> [(Graph.Place, Graph.Kind)] {
    func all(_ contributions: [Contribution], _ kind: Graph.Kind) -> [(Graph.Place, Graph.Kind)] {
      contributions.map { (place($0.target, in: flow), kind) }
    }
    switch operation {
    case .push(let contribution): return all([contribution], .push)
    case .replace(let contribution): return all([contribution], .replace)
    case .set(let contributions): return all(contributions, .replace)
    case .present(let contribution, _, _, _): return all([contribution], .present)
    case .tabs(let contributions): return all(contributions, .tab)
    case .split(let master, let detail): return all(master, .birth) + all([detail], .detail)
    case .detail(let contribution): return all([contribution], .detail)
    case .show(let child, let screen):
      guard case .screen(let name)? = screen?.target else { return [(.flow(child), .show)] }
      return [(.screen(name, of: child), .show)]
    case .popTo(let screen), .reveal(let screen): return home(of: screen, near: flow).map { [($0, .back)] } ?? []
    case .end(let template): return handlers(of: template.step, above: flow).map { (.flow($0), .end) }
    case .pop, .popToRoot, .dismiss, .select, .forward, .write, .clear, .content, .load, .after, .cancel, .remove, .none: return []
    }
  }

  private func home(of screen: String, near flow: String) -> Graph.Place? {
    if screens[flow]?.contains(screen) == true { return .screen(screen, of: flow) }
    return screens.keys.sorted().first { screens[$0]?.contains(screen) == true }.map { .screen(screen, of: $0) }
  }

  /// The flows that contribute this one, and so get its ending step.
  private func handlers(of step: String, above flow: String) -> [String] {
    definition.flows.sorted { $0.key < $1.key }.filter { name, other in
      name != flow
        && (Drawing.contributions(of: other.birth)
          + other.handle.values.flatMap { $0.branches.flatMap(\.operations).flatMap(\.contributions) })
          .contains { $0.target == .flow(flow) }
    }.map(\.key)
  }

  private static func contributions(of birth: FlowDefinition.Birth) -> [Contribution] {
    switch birth {
    case .empty: []
    case .root(let root): [root]
    case .tabs(let tabs): tabs
    case .split(let master, let detail): master + [detail]
    }
  }
}

extension Operation {
  /// What it makes.
  fileprivate var contributions: [Contribution] {
    switch self {
    case .push(let contribution), .replace(let contribution), .present(let contribution, _, _, _), .detail(let contribution): [contribution]
    case .set(let contributions), .tabs(let contributions): contributions
    case .split(let master, let detail): master + [detail]
    case .show(_, let screen): screen.map { [$0] } ?? []
    default: []
    }
  }
}
