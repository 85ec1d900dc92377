import CairnCore

/// Describes the cause of a revision.
enum CauseText {
  /// Returns a text such as `movieIsPicked(withId: 5)`, `pop`, `open https://…`, `effect 3 loaded` or `create`.
  static func text(_ cause: Value) -> String {
    func word(_ member: String) -> String? { if case .string(let text)? = cause[member] { text } else { nil } }
    if let step = word("step") {
      guard case .object(let params)? = cause["params"], !params.isEmpty else { return step }
      return "\(step)(\(params.sortedByKey.map { "\($0.key): \($0.value.shortText)" }.joined(separator: ", ")))"
    }
    if case .integer(let effect)? = cause["effect"] {
      let end = ["due", "loaded", "failed", "exchanged", "abandoned", "tokenExpired"].first { cause[$0] != nil } ?? "ended"
      return "effect \(effect) \(end)" + (word(end).map { ": \($0)" } ?? "")
    }
    let type = word("type") ?? (cause["url"] == nil ? "action" : "open")
    let rest = ["url", "screen", "node", "tab", "flow", "count", "state", "link", "question", "held", "key", "to"].compactMap {
      cause[$0]?.shortText
    }
    return ([type] + rest).joined(separator: " ")
  }
}
