package import CairnCore

/// Limits of the durations that a definition may contain, in milliseconds.
package struct DefinitionLimits: Hashable, Sendable {
  /// A shorter timer is an error: each tick is an entry of the journal.
  package var shortestTimer: WideInt
  /// A load that may take longer, all attempts together, is an error: it holds one of the outgoing calls.
  package var longestLoad: WideInt

  package init(shortestTimer: WideInt = Restarts.interval, longestLoad: WideInt = 600_000) {
    self.shortestTimer = shortestTimer
    self.longestLoad = longestLoad
  }

  /// Limits where only a manual clock runs timers.
  package static let manualClock = DefinitionLimits(shortestTimer: 0)

  /// No limits, for a definition that was accepted before.
  package static let none = DefinitionLimits(shortestTimer: 0, longestLoad: .max)
}
