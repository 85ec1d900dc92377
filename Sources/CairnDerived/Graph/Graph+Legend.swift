extension Graph {
  /// The kinds of arrows in the drawing, with their meanings.
  var legend: [(kind: Kind, text: String)] {
    let drawn = Set(arrows.map(\.kind))
    var said: Set<String> = []
    return Kind.allCases.filter(drawn.contains).compactMap { kind in said.insert(kind.meaning).inserted ? (kind, kind.meaning) : nil }
  }

  /// Explanations of the other marks in the drawing.
  var legendWords: [String] {
    var words = ["a box around screens: a flow; its dot: the steps that it receives"]
    if arrows.contains(where: { $0.handlingFlow != nil }) { words.append("step ↑ flow: the step bubbles up to that flow") }
    if arrows.contains(where: { $0.condition != nil }) { words.append("step [condition]: only if the condition is true") }
    if arrows.contains(where: { $0.label.contains("→") }) {
      words.append("step → other: the step is replaced by the other one before it is sent on")
    }
    if arrows.contains(where: { $0.label.hasPrefix("then: ") || $0.label.hasPrefix("else: ") }) {
      words.append("then, else: the flow ends with a result, or without one; else of a link: the link is held")
    }
    let links = sources.contains { if case .link = $0 { true } else { false } }
    let rules = sources.contains { if case .rule = $0 { true } else { false } }
    let notifications = sources.contains { if case .notification = $0 { true } else { false } }
    if links { words.append("/path: a link") }
    if rules { words.append("a hexagon: a rule, by its condition") }
    if notifications { words.append("category (how): a notification, by its category and how it arrives") }
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
    case .overlay: "overlay"
    case .show: "show"
    case .tab: "tab"
    case .detail: "detail"
    case .back: "back to"
    case .end: "end"
    case .birth: "created with"
    case .send: "sent to"
    }
  }
}
