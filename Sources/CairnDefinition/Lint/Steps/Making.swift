import CairnCore

/// A node that some part of a definition can create.
struct Making {
  /// The flow whose initial nodes or handler create the node; `nil` for the app's root.
  var maker: String?
  var arrival: Arrival

  var contribution: Contribution { arrival.contribution }
}

extension Definition {
  /// Every node that can be created, once for each place that creates it.
  func makings(_ operations: [OperationSite]) -> [Making] {
    [Making(maker: nil, arrival: Arrival(root, .child))]
      + flows.sortedByKey.flatMap { name, flow in flow.arrivals.map { Making(maker: name, arrival: $0) } }
      + operations.flatMap { site in site.parts.makes.map { Making(maker: site.flow, arrival: $0) } }
  }
}
