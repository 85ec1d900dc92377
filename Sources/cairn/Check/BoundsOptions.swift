import ArgumentParser
import CairnCore
import CairnDefinition

/// The limits of one session, one request and one definition, as options of `cairn serve`.
struct BoundsOptions: ParsableArguments {
  @Option(setting: "sessionNodes") var sessionNodes: String?
  @Option(setting: "sessionEffects") var sessionEffects: String?
  @Option(setting: "sessionSize") var sessionSize: String?
  @Option(setting: "sessionEntries") var sessionEntries: String?
  @Option(setting: "sessionBytes") var sessionBytes: String?
  @Option(setting: "sessionFile") var sessionFile: String?
  @Option(setting: "valueSize") var valueSize: String?
  @Option(setting: "advanceTicks") var advanceTicks: String?
  @Option(setting: "requestWork") var requestWork: String?
  @Option(setting: "longestLoad") var longestLoad: String?
  @Option(setting: "shortestTimer") var shortestTimer: String?
  @Option(setting: "outgoingCalls") var outgoingCalls: String?
  @Option(setting: "maxResponse") var maxResponse: String?
}

/// The limits of definitions, as options of `cairn check`.
struct CheckLimitsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Minimum duration of a timer; a shorter one is an error. (default: 100ms)", valueName: "duration"
    ),
    transform: CheckLimitsOptions.duration)
  var shortestTimer = DefinitionLimits().shortestTimer

  @Option(
    help: ArgumentHelp(
      "Maximum duration of a load with all its attempts, unless it polls (`every`); a longer one is an error. (default: 10m)",
      valueName: "duration"),
    transform: CheckLimitsOptions.duration)
  var longestLoad = DefinitionLimits().longestLoad

  private static func duration(_ text: String) throws -> Int {
    guard let milliseconds = DurationText.milliseconds(text), milliseconds >= 1 else {
      throw ValidationError("it must be a duration of at least 1ms, such as 100ms, not \"\(text)\"")
    }
    return milliseconds
  }

  /// The limits of definitions. A limit whose option is not given has its default.
  var limits: DefinitionLimits { DefinitionLimits(shortestTimer: shortestTimer, longestLoad: longestLoad) }
}
