/// A session with effects that this node must schedule, and the time at which the first of them is due.
package struct DueSession: Hashable, Sendable {
  package var id: String
  /// The due time in milliseconds since 1970; 0 means that the session is due immediately.
  package var due: Int
  /// The ids of the effects to schedule; `nil` means all effects of the session.
  package var effects: Set<Int>?

  /// Creates a due session. A negative time counts as 0, because subtracting the time of a damaged row from the current time could
  /// overflow.
  package init(id: String, due: Int, effects: Set<Int>? = nil) {
    self.id = id
    self.due = max(0, due)
    self.effects = effects
  }
}
