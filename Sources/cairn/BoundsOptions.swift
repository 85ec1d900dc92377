import ArgumentParser

/// What one session may have and one request may take, as flags.
struct BoundsOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Nodes of a session at most. (default: 1000; CAIRN_SESSION_NODES)", valueName: "count"))
  var sessionNodes: String?
  @Option(help: ArgumentHelp("Timers, loads and calls of a session at most. (default: 1000; CAIRN_SESSION_EFFECTS)", valueName: "count"))
  var sessionEffects: String?
  @Option(help: ArgumentHelp("Size of a session at most, in KiB. (default: 256; CAIRN_SESSION_SIZE)", valueName: "KiB"))
  var sessionSize: String?
  @Option(help: ArgumentHelp("Entries of a session's history at most. (default: 1000000; CAIRN_SESSION_ENTRIES)", valueName: "count"))
  var sessionEntries: String?

  @Option(help: ArgumentHelp("Size of a session's history at most, in MiB. (default: 256; CAIRN_SESSION_JOURNAL)", valueName: "MiB"))
  var sessionJournal: String?

  @Option(
    help: ArgumentHelp("Size of a fact, of content and of params at most, in KiB. (default: 64; CAIRN_VALUE_SIZE)", valueName: "KiB"))
  var valueSize: String?
  @Option(help: ArgumentHelp("Effects that the advances of one request may run. (default: 1000; CAIRN_ADVANCE_TICKS)", valueName: "count"))
  var advanceTicks: String?
  @Option(help: ArgumentHelp("Steps of work that one request may take. (default: 200000; CAIRN_REQUEST_WORK)", valueName: "count"))
  var requestWork: String?
  @Option(
    help: ArgumentHelp("Loads that may take longer are refused in definitions. (default: 10m; CAIRN_LONGEST_LOAD)", valueName: "duration"))
  var longestLoad: String?
  @Option(help: ArgumentHelp("Shorter timers are refused in definitions. (default: 100ms; CAIRN_SHORTEST_TIMER)", valueName: "duration"))
  var shortestTimer: String?

  /// Those that were given.
  var flags: [Setting: String?] {
    [
      .sessionEntries: sessionEntries, .sessionJournal: sessionJournal,
      .sessionNodes: sessionNodes, .sessionEffects: sessionEffects, .sessionSize: sessionSize, .valueSize: valueSize,
      .advanceTicks: advanceTicks, .requestWork: requestWork, .shortestTimer: shortestTimer, .longestLoad: longestLoad,
    ]
  }
}
