import CairnCore

/// A node that something in a definition makes.
struct Making {
  /// The flow whose birth or handler makes it; nil: the app's root.
  var maker: String?
  var arrival: Arrival

  var contribution: Contribution { arrival.contribution }
}

extension Definition {
  /// Every node that can be made, each as often as a place makes it.
  var makings: [Making] {
    [Making(maker: nil, arrival: Arrival(root, .child))]
      + flows.sorted { $0.key < $1.key }.flatMap { name, flow in flow.arrivals.map { Making(maker: name, arrival: $0) } }
      + operations.flatMap { site in site.operation.parts.makes.map { Making(maker: site.flow, arrival: $0) } }
  }
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
