import CairnCore
import CairnDefinition
import CairnServer
import CairnStore

// Settings that limit one session, one request or one definition.
extension Setting {
  /// The new names of renamed settings and variables, for error messages.
  static let renamed = ["sessionJournal": "sessionBytes", "CAIRN_SESSION_JOURNAL": "CAIRN_SESSION_BYTES"]

  static let bounds: [Setting] = [
    Setting(
      "sessionEntries", "Maximum number of entries in a session's history; if it is exceeded, the older half is forgotten.", "count",
      default: "100000",
      .number(10...1_000_000_000, \.store.entries)),
    Setting(
      "sessionBytes", "Maximum size of a session's history, in MiB; if it is exceeded, the older half is forgotten.", "MiB", default: "16",
      .number(1...1_048_576, unit: "MiB", shift: 20, \.store.journal)),
    Setting(
      "sessionFile", "Maximum size of the file of an exported or imported session, in MiB.", "MiB", default: "64",
      .number(1...1_024, unit: "MiB", shift: 20, \.service.sessionFile)),
    Setting(
      "sessionNodes", "Maximum number of nodes (screens and flows) per session.", "count", default: "1000",
      .number(1...Bounds.ceiling.nodes, \.store.bounds.nodes)),
    Setting(
      "sessionEffects", "Maximum number of timers, loads and token calls in progress per session.", "count", default: "1000",
      .number(1...Bounds.ceiling.effects, \.store.bounds.effects)),
    Setting(
      "sessionSize", "Maximum estimated size of a session's state, in KiB.", "KiB", default: "256",
      .number(1...Bounds.ceiling.state >> 10, unit: "KiB", shift: 10, \.store.bounds.state)),
    Setting(
      "valueSize", "Maximum size of a fact, of a node's content, and of all params of a step or node together, in KiB.", "KiB",
      default: "64", .number(1...Bounds.ceiling.value >> 10, unit: "KiB", shift: 10, \.store.bounds.value)),
    Setting(
      "advanceTicks", "Maximum number of timers, loads and token calls that one request may end by advancing the clock.", "count",
      default: "1000", .number(1...Bounds.ceiling.ticks, \.store.bounds.ticks)),
    Setting(
      "requestWork", "Maximum work of all actions of a request, in units of about a tenth of a microsecond.", "count", default: "200000",
      .number(1...Bounds.ceiling.work, \.store.bounds.work)),
    Setting(
      "shortestTimer", "Minimum duration of a timer; a definition with a shorter one is rejected.", "duration", default: "100ms",
      .milliseconds(1...Int.max, "a duration of at least 1ms, such as 100ms", \.service.definitions.shortestTimer)),
    Setting(
      "longestLoad",
      "Maximum duration of a load with all its attempts, unless it polls (`every`); a definition with a longer one is rejected.",
      "duration", default: "10m",
      .milliseconds(1_000...3_600_000, "a duration from 1s to 1h, such as 10m", \.service.definitions.longestLoad)),
    Setting(
      "outgoingCalls", "Maximum number of simultaneous outgoing calls for loads, messages and logins.", "count", default: "256",
      .number(1...10_000, \.store.calls)),
    Setting(
      "maxResponse",
      "Maximum size of the response body of an outgoing call after decompression, in KiB; if it is exceeded, the call fails.", "KiB",
      default: "1024", .number(1...65_536, unit: "KiB", shift: 10, \.maxResponse)),
  ]
}
