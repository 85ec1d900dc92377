import CairnCore
import CairnDefinition
import CairnServer
import CairnStore

// The limits of one session, one request and one definition.
extension Setting {
  /// The new names of settings and variables that had others, for error messages.
  static let renamed = ["sessionJournal": "sessionBytes", "CAIRN_SESSION_JOURNAL": "CAIRN_SESSION_BYTES"]

  static let bounds: [Setting] = [
    Setting(
      "sessionEntries", "Entries of a session's history at which its older half is forgotten.", "count", default: "100000",
      .number(10...1_000_000_000, \.store.entries)),
    Setting(
      "sessionBytes", "Size of a session's history at which its older half is forgotten, in MiB.", "MiB", default: "16",
      .number(1...1_048_576, unit: "MiB", shift: 20, \.store.journal)),
    Setting(
      "sessionFile", "Size of the file of an exported or imported session at most, in MiB.", "MiB", default: "64",
      .number(1...1_024, unit: "MiB", shift: 20, \.service.sessionFile)),
    Setting(
      "sessionNodes", "Nodes of a session at most.", "count", default: "1000",
      .number(1...Bounds.ceiling.nodes, \.store.bounds.nodes)),
    Setting(
      "sessionEffects", "Timers, loads and calls of a session at most.", "count", default: "1000",
      .number(1...Bounds.ceiling.effects, \.store.bounds.effects)),
    Setting(
      "sessionSize", "Size of a session at most, in KiB.", "KiB", default: "256",
      .number(1...Bounds.ceiling.state >> 10, unit: "KiB", shift: 10, \.store.bounds.state)),
    Setting(
      "valueSize", "Size of a fact, of content and of params at most, in KiB.", "KiB", default: "64",
      .number(1...Bounds.ceiling.value >> 10, unit: "KiB", shift: 10, \.store.bounds.value)),
    Setting(
      "advanceTicks", "Effects that the advances of one request may run.", "count", default: "1000",
      .number(1...Bounds.ceiling.ticks, \.store.bounds.ticks)),
    Setting(
      "requestWork", "Steps of work that one request may take.", "count", default: "200000",
      .number(1...Bounds.ceiling.work, \.store.bounds.work)),
    Setting(
      "shortestTimer", "Shorter timers are refused in definitions.", "duration", default: "100ms",
      .milliseconds(1...Int.max, "a duration from 1ms on, like 100ms", \.service.definitions.shortestTimer)),
    Setting(
      "longestLoad", "Loads that may take longer are refused in definitions.", "duration", default: "10m",
      .milliseconds(1_000...3_600_000, "a duration from 1s to 1h, like 10m", \.service.definitions.longestLoad)),
    Setting(
      "outgoingCalls", "Calls of loads and logins that leave at the same time.", "count", default: "256",
      .number(1...10_000, \.store.calls)),
    Setting(
      "maxResponse", "Size of a response to one of these calls at most, in KiB.", "KiB", default: "1024",
      .number(1...65_536, unit: "KiB", shift: 10, \.maxResponse)),
  ]
}
