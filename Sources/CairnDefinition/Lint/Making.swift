import CairnCore

/// A node that something in a definition makes.
struct Making {
  /// The flow whose birth or handler makes it; nil: the app's root.
  var maker: String?
  var contribution: Contribution
  var way: Way

  /// Where the node goes.
  enum Way: Equatable {
    case stack
    /// A tab, the child of a switch, a detail, the root.
    case slot
    case modal(PresentationStyle, on: Operation.Anchor)
  }

  var isModal: Bool { if case .modal = way { true } else { false } }
}

extension Definition {
  /// Every node that can be made, each as often as a place makes it.
  var makings: [Making] {
    var makings = [Making(maker: nil, contribution: root, way: .slot)]
    for (name, flow) in flows.sorted(by: { $0.key < $1.key }) {
      for (contribution, way) in flow.makings { makings.append(Making(maker: name, contribution: contribution, way: way)) }
    }
    for site in operations {
      for (contribution, way) in site.operation.makings {
        makings.append(Making(maker: site.flow, contribution: contribution, way: way))
      }
    }
    return makings
  }
}

extension FlowDefinition {
  /// What it is born with. The root of a `screen` flow stands on the stack that the flow is put on.
  fileprivate var makings: [(Contribution, Making.Way)] {
    switch birth {
    case .empty: []
    case .root(let root): [(root, container == .oneOf ? .slot : .stack)]
    case .tabs(let tabs): tabs.map { ($0, .slot) }
    case .split(let master, let detail): master.map { ($0, .stack) } + [(detail, .slot)]
    }
  }
}

extension Operation {
  fileprivate var makings: [(Contribution, Making.Way)] {
    switch self {
    case .push(let contribution), .replace(let contribution): [(contribution, .stack)]
    case .set(let contributions): contributions.map { ($0, .stack) }
    case .present(let contribution, let style, let anchor, _): [(contribution, .modal(style, on: anchor))]
    case .tabs(let contributions): contributions.map { ($0, .slot) }
    case .split(let master, let detail): master.map { ($0, .stack) } + [(detail, .slot)]
    case .detail(let contribution): [(contribution, .slot)]
    case .show(let flow, let screen):
      [(Contribution(.flow(flow)), .slot)] + [screen].compactMap { screen in screen.map { ($0, .stack) } }
    case .pop, .popTo, .popToRoot, .reveal, .dismiss, .select, .end, .forward, .write, .clear, .content, .load, .after, .cancel,
      .remove, .none:
      []
    }
  }
}

extension Contribution {
  /// nil: it is a flow.
  var screen: String? { if case .screen(let name) = target { name } else { nil } }
  /// nil: it is a screen.
  var flow: String? { if case .flow(let name) = target { name } else { nil } }
}

extension [Making] {
  /// The flows that can come to be below some flows, these included.
  func flows(from start: Set<String>) -> Set<String> {
    var found = start
    var next = Array<String>(start)
    while let maker = next.popLast() {
      for case let flow? in filter({ $0.maker == maker }).map(\.contribution.flow) where found.insert(flow).inserted {
        next.append(flow)
      }
    }
    return found
  }
}
