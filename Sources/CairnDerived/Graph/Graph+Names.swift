/// The ids of the points in a drawing, computed once for the whole drawing.
struct PointNames {
  /// For each source, its index among the sources of its kind. For links this is the index in the file.
  let indexes: [Int]
  private let sources: [Graph.Source]
  /// The screens that several flows create.
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

  /// The id of a point, such as `flow:main`, `screen:home` or `link:0`. The same definition always has the same ids. A screen that several
  /// flows create has one id per flow, such as `screen:home@main`.
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
