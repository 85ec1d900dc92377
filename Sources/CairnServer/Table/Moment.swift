import CairnAPI
import CairnCore
import CairnRuntime

/// A time in a query.
struct Moment: Sendable {
  /// The time, in milliseconds since 1970.
  let milliseconds: Int
  /// The text in the query.
  let text: String

  /// Parses a timestamp, or an age such as `30d`, which is subtracted from the current time. Returns `nil` for any other text.
  init?(_ text: String) {
    self.text = text
    if let time = Timestamp(text)?.milliseconds {
      milliseconds = time
    } else if let ago = DurationText.read(text), ago <= DurationText.limit {
      milliseconds = Int(WallClock.now()) - Int(ago)
    } else {
      return nil
    }
  }
}
