import CairnCore

extension State {
  /// The future times at which a condition on `away` would change its result if the app returned then, in milliseconds since 1970, ascending. Empty
  /// while the app is in the foreground.
  func awayMarks(seeing relevance: Relevance) -> [Int] {
    guard let left = leftForeground, let now = manualTime else { return [] }
    return relevance.awayMarks.map { left + $0 }.filter { $0 > now }
  }
}
