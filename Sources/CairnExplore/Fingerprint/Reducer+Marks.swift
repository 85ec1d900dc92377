import CairnCore

extension Reducer {
  /// The future times at which a condition on `away` would change its result if the app returned then, and at which a condition on the time may change
  /// its result, in milliseconds since 1970, ascending.
  func marks(of state: State, seeing relevance: Relevance) -> [Int] {
    guard let now = state.manualTime else { return [] }
    let away = state.leftForeground.map { left in relevance.awayMarks.map { left + $0 }.filter { $0 > now } } ?? []
    return (away + relevance.moments.compactMap { $0.outlook(in: state, at: now, of: self).next }).sorted()
  }
}
