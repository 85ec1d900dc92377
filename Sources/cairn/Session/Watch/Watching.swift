import CairnClient

/// A form of output of `cairn session watch`.
protocol Watching {
  /// Whether the output shows parts of the session that the stream does not contain.
  var needsSession: Bool { get }

  /// Shows an event. `session` is the session's current state, or `nil` if it was not read.
  mutating func show(_ event: SessionEvent, _ session: SessionView?)

  /// Called every second. The terminal's size may have changed.
  mutating func tick()

  /// Called once, after the last event.
  mutating func end()
}
