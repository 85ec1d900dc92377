/// The points' ids in a drawing as data, computed once for all of them.
struct PointNames {
  /// For each source its place among those of its kind: for links that in the file.
  let indexes: [Int]
  private let sources: [Graph.Source]
  /// The screens that several flows contribute.
  private let shared: Set<String>

  init(_ graph: Graph) {
    var counts: [String: Int] = [:]
    indexes = graph.sources.map { source in
      defer { counts[source.kind, default: 0] += 1 }
      return counts[source.kind, default: 0]
    }
    sources = graph.sources
    var seen: Set<String> = []
    shared = Set(graph.clusters.lazy.flatMap(\.screens).filter { !seen.insert($0).inserted })
  }

  /// `flow:main`, `screen:home`, `link:0`, by which a point is found again as long as the definition is the same. A screen that several flows
  /// contribute has one for each: `screen:home@main`.
  func name(of place: Graph.Place) -> String {
    switch place {
    case .flow(let flow): "flow:\(flow)"
    case .screen(let screen, let flow): shared.contains(screen) ? "screen:\(screen)@\(flow)" : "screen:\(screen)"
    case .source(let index): "\(sources[index].kind):\(indexes[index])"
    }
  }
}

extension Graph.Source {
  var kind: String {
    switch self {
    case .link: "link"
    case .rule: "rule"
    case .notification: "notification"
    }
  }
}
