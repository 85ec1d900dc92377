import CairnCore

extension State {
  /// When a condition on `away` would begin to say something else if the app came back then, milliseconds since 1970, ascending; nothing
  /// where it is in the foreground.
  func awayMarks(seeing sight: Sight) -> [Int] {
    guard let left = leftForeground, let now = manualTime else { return [] }
    return sight.awayMarks.map { left + $0 }.filter { $0 > now }
  }
}
