package import CairnCore

/// Limits of the durations that a definition may contain, in milliseconds.
package struct DefinitionLimits: Hashable, Sendable {
  /// Minimum interval of a timer. A shorter interval is an error, because each tick is an entry of the journal.
  package var shortestTimer: WideInt
  /// Maximum timeout of a load, for all attempts together. A longer timeout is an error, because a load
  /// occupies one of the service's outgoing calls until it ends.
  package var longestLoad: WideInt

  package init(shortestTimer: WideInt = Restarts.interval, longestLoad: WideInt = 600_000) {
    self.shortestTimer = shortestTimer
    self.longestLoad = longestLoad
  }

  /// The limits of apps whose timers run only with a manual clock.
  package static let manualClock = DefinitionLimits(shortestTimer: 0)

  /// No limits, for a definition that has been accepted before.
  package static let none = DefinitionLimits(shortestTimer: 0, longestLoad: .max)
}
