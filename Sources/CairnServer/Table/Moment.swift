import CairnAPI
import CairnCore
import CairnRuntime

/// A point in time in a query.
struct Moment: Sendable {
  /// Milliseconds since 1970.
  let milliseconds: Int
  /// The text in the query.
  let text: String

  /// Parses a time. Returns `nil` if the text is not a time.
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
