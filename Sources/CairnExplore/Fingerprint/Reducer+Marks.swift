import CairnCore

extension Reducer {
  /// The future times at which conditions may change their results, in milliseconds since 1970, ascending. A condition on the time may
  /// change at such a time. A condition on `away` changes if the app returns to the foreground at that time.
  func marks(of state: State, seeing relevance: Relevance) -> [Int] {
    guard let now = state.manualTime else { return [] }
    let away = state.leftForeground.map { left in relevance.awayMarks.map { left + $0 }.filter { $0 > now } } ?? []
    return (away + relevance.moments.compactMap { $0.outlook(in: state, at: now, of: self).next }).sorted()
  }
}
