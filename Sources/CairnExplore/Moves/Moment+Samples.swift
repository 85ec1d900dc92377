import CairnCore
import CairnDefinition

extension Moment {
  /// A moment that has passed when an exploration starts, and a later one, each as a text and as a number. The clock of an exploration starts at 0. The
  /// later moment is far in the future if `before`, the condition's duration in milliseconds, is a day or more.
  static func samples(before: Int) -> [Value] {
    let isLong = before >= 86_400_000
    return [
      "1970-01-01T00:00:00Z", .string(isLong ? "2070-01-01T00:00:00Z" : "1970-01-02T00:00:00Z"), 0,
      .integer(isLong ? 3_155_760_000_000 : 86_400_000),
    ]
  }
}

extension Definition {
  /// The moments at which timers are due, as conditions.
  var momentsOfTimers: [Guard] {
    timers.compactMap { timer in timer.isMoment && !timer.isDaily ? timer.value.map { .passed($0, before: timer.delay) } : nil }
  }
}
