import CairnAPI
import CairnCore
import CairnRuntime

/// A time that a query names.
struct Moment: Sendable {
  /// Since 1970.
  let milliseconds: Int
  /// As it was written.
  let text: String

  /// nil: it is no time.
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
