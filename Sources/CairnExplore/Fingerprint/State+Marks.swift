import CairnCore

extension State {
  /// The future times at which a condition on `away` would change its result if the app returned then, and at which a condition on a moment becomes
  /// true, in milliseconds since 1970, ascending.
  func marks(seeing relevance: Relevance) -> [Int] {
    guard let now = manualTime else { return [] }
    let away = leftForeground.map { left in relevance.awayMarks.map { left + $0 } } ?? []
    return (away + relevance.moments.compactMap { $0.time(in: self) }).filter { $0 > now }.sorted()
  }
}
