import CairnCore

extension Lint {
  /// Reports elements of `take` that no message can reach, or whose URL no link matches.
  func idleTakings() -> [Finding] {
    let all = definition.notifications.take
    return all.indices.flatMap { index in
      var findings: [Finding] = []
      if let before = all[..<index].firstIndex(where: { $0.takesAll(of: all[index]) }) {
        let place = places.taking(before).words(besides: places.taking(index), "in")
        findings.append(finding("this element never matches: the one \(place) matches all its notifications first", index))
      }
      if case .link(let expression) = all[index].routing, let url = expression.sampleURL,
        !definition.links.contains(where: { $0.takes(url) })
      {
        findings.append(finding("no link of the app matches this URL", index))
      }
      return findings
    }
  }

  private func finding(_ message: String, _ index: Int) -> Finding { Finding(position: places.taking(index), message: message) }
}

extension NotificationDefinition.Taking {
  /// Whether this element matches every message that `other` matches. An element that reads values of the message does not, because it
  /// leaves a message with a value of the wrong type to later elements.
  fileprivate func takesAll(of other: Self) -> Bool {
    guard when == nil, category == nil || category == other.category, how.isSuperset(of: other.how) else { return false }
    switch routing {
    case .step(let template): return template.with.isEmpty
    case .link(let url): return url.references.isEmpty
    }
  }
}

extension Expression {
  /// An example of the resulting URL; `nil` if the start of the URL is unknown.
  fileprivate var sampleURL: String? {
    switch self {
    case .literal(.string(let text)): return text
    case .template(let parts):
      guard case .text? = parts.first else { return nil }
      return parts.map { if case .text(let text) = $0 { text } else { "x" } }.joined()
    case .literal, .reference, .array, .object, .calculation: return nil
    }
  }
}
