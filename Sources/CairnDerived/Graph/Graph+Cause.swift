extension Graph {
  /// The cause of an arrow's transition, such as a step, a timer or a link.
  enum Cause: String {
    case birth, step, timer, load, removed, asked = "guard", result, reselect, requires, link, rule, notification
  }

  /// The cause of an arrow, derived from its origin, its kind and its label.
  func cause(of arrow: Arrow) -> Cause {
    if case .source(let index) = arrow.from {
      return switch sources[index] {
      case .link: .link
      case .rule: .rule
      case .notification: .notification
      }
    }
    if arrow.kind == .birth || arrow.kind == .tab { return .birth }
    if let colon = arrow.label.firstIndex(of: ":") { return Self.cause(of: arrow.label[..<colon]) }
    // The label of a request begins with its method, as in `POST orderPlaced`.
    return arrow.kind == .send && !arrow.label.contains("→") && arrow.label.contains(" ") ? .load : .step
  }

  private static func cause(of word: Substring) -> Cause {
    switch word {
    case "timer", "idle": .timer
    case "loaded", "failed": .load
    case "removed": .removed
    case "guard": .asked
    case "reselect": .reselect
    case "requires": .requires
    case "then", "else": .result
    default: .step
    }
  }
}
