extension Graph {
  /// Each kind of arrow that is drawn, with what it means.
  var legend: [(kind: Kind, text: String)] {
    let drawn = Set(arrows.map(\.kind))
    var said: Set<String> = []
    return Kind.allCases.filter(drawn.contains).compactMap { kind in said.insert(kind.meaning).inserted ? (kind, kind.meaning) : nil }
  }

  /// What the other marks mean, of those that are drawn.
  var legendWords: [String] {
    var words = ["a box round screens: a flow; its dot: where its steps come in"]
    if arrows.contains(where: { $0.hearer != nil }) { words.append("step ↑ flow: it bubbles up to that flow") }
    if arrows.contains(where: { $0.condition != nil }) { words.append("step [condition]: only where that holds") }
    if arrows.contains(where: { $0.label.contains("→") }) { words.append("step → other: it is sent on as the other") }
    let links = sources.contains { if case .link = $0 { true } else { false } }
    let messages = sources.contains { if case .message = $0 { true } else { false } }
    let rules = sources.contains { if case .rule = $0 { true } else { false } }
    if links { words.append("/path: a link") }
    if messages { words.append("a round or folded sheet: a notification, by its category") }
    if rules { words.append("a hexagon: a rule, by its condition") }
    return words
  }
}

extension Graph.Kind {
  /// In a word or two.
  fileprivate var meaning: String {
    switch self {
    case .push: "push"
    case .replace: "replace"
    case .present: "present"
    case .raise: "present on a level"
    case .show: "show"
    case .tab: "tab"
    case .detail: "detail"
    case .back: "back to"
    case .end: "end"
    case .birth: "born with"
    case .send: "sent to"
    }
  }
}
