extension Graph {
  /// The kinds of arrows in the drawing, with their meanings.
  var legend: [(kind: Kind, text: String)] {
    let drawn = Set(arrows.map(\.kind))
    var said: Set<String> = []
    return Kind.allCases.filter(drawn.contains).compactMap { kind in said.insert(kind.meaning).inserted ? (kind, kind.meaning) : nil }
  }

  /// Explanations of the other marks in the drawing.
  var legendWords: [String] {
    var words = ["a box round screens: a flow; its dot: where its steps come in"]
    if arrows.contains(where: { $0.handlingFlow != nil }) { words.append("step ↑ flow: it bubbles up to that flow") }
    if arrows.contains(where: { $0.condition != nil }) { words.append("step [condition]: only where that holds") }
    if arrows.contains(where: { $0.label.contains("→") }) { words.append("step → other: it is sent on as the other") }
    if arrows.contains(where: { $0.label.hasPrefix("then: ") || $0.label.hasPrefix("else: ") }) {
      words.append("then, else: a node ends with a result, or without one; else of a link: it has to wait")
    }
    let links = sources.contains { if case .link = $0 { true } else { false } }
    let rules = sources.contains { if case .rule = $0 { true } else { false } }
    let notifications = sources.contains { if case .notification = $0 { true } else { false } }
    if links { words.append("/path: a link") }
    if rules { words.append("a hexagon: a rule, by its condition") }
    if notifications { words.append("category (how): a notification that is taken") }
    return words
  }
}

extension Graph.Kind {
  /// The meaning of the kind in a few words.
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
