extension Graph {
  /// What a point is called where the drawing is data: `flow:main`, `screen:home`, `link:0`, by which it is found again as long as the
  /// definition is the same. A screen that several flows contribute stands there for each: `screen:home@main`.
  func name(of place: Place) -> String {
    switch place {
    case .flow(let flow): "flow:\(flow)"
    case .screen(let screen, let flow): isShared(screen) ? "screen:\(screen)@\(flow)" : "screen:\(screen)"
    case .source(let index): "\(sources[index].kind):\(indexOfKind(index))"
    }
  }

  /// A source's place among those of its kind: for links that in the file.
  func indexOfKind(_ index: Int) -> Int { sources[..<index].count { $0.kind == sources[index].kind } }

  private func isShared(_ screen: String) -> Bool { clusters.count { $0.screens.contains(screen) } > 1 }
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
