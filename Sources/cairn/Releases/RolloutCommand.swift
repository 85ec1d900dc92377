import ArgumentParser
import CairnAPI
import CairnCore
import Foundation

/// `cairn rollout`: moves the sessions of an app to another definition, through a running service.
struct RolloutCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout",
    abstract: "Moves the sessions of an app to another definition.",
    discussion: """
      Begin with a dry run. It reports how many sessions would move, how many by each line of the migration, and how many would stay, each \
      with the id of a session as an example. Publish the new definition and store the migration first (docs/releases.md).

      Exits with 0 if the service has performed the request; otherwise with 1.
      """,
    subcommands: [Start.self, Show.self, Pause.self, Resume.self, Stop.self, Revert.self])

  /// The service, the operator's key and the app of a command.
  struct Options: ParsableArguments {
    @Argument(help: "Name of the app.") var app: String
    @Option(help: ArgumentHelp("URL of the service. (default: CAIRN_URL, or http://127.0.0.1:8080)", valueName: "url")) var url: String?
    @Option(
      help: ArgumentHelp("The operator's key. (default: CAIRN_OPERATOR_KEY, which is not visible in the process list)", valueName: "key"))
    var key: String?
    @Flag(help: "Prints the response of the service, in JSON.") var json = false

    /// Sends a request about the app's rollouts and prints the rollout from the response. With `waits`, first polls until the rollout is no
    /// longer running or reverting. Exits with 1 if the service rejects the request.
    func send(_ method: String, _ operation: String? = nil, _ body: Value? = nil, waits: Bool = false) throws {
      var rollout = try answer(method, operation, body)
      if waits {
        // The responses are a second apart, so each one is shown.
        let progress = ProgressLine(hasLinesElsewhere: true, interval: 0)
        defer { progress.end() }
        while progress.showRollout(rollout) {
          Thread.sleep(forTimeInterval: 1)
          rollout = try answer("GET")
        }
      }
      if json { return Terminal.print(String(decoding: (try? JSONText.bytes(rollout, pretty: true)) ?? [], as: UTF8.self)) }
      RolloutCommand.print(rollout)
    }

    private func answer(_ method: String, _ operation: String? = nil, _ body: Value? = nil) throws -> Value {
      let environment = ProcessInfo.processInfo.environment
      let text = url ?? environment["CAIRN_URL"] ?? SessionOptions.defaultURL
      guard let url = URL(string: text.hasSuffix("/") ? String(text.dropLast()) : text), url.host() != nil else {
        throw ValidationError("the service's address must be a URL such as \(SessionOptions.defaultURL), not \"\(text)\"")
      }
      guard let key = key ?? environment["CAIRN_OPERATOR_KEY"], !key.isEmpty else {
        throw ValidationError("a rollout needs an operator's key: --key, or CAIRN_OPERATOR_KEY")
      }
      let path = "/v1/apps/\(PercentCoding.encode(app))/rollouts" + (operation.map { "/\($0)" } ?? "")
      let answer: ServiceClient.Answer
      do throws(StartFailure) {
        answer = try ServiceClient(base: url, key: key).send(method, path, body)
      } catch {
        Terminal.complain(error.text)
        throw ExitCode(1)
      }
      guard answer.status < 300 else {
        Terminal.complain("cairn: \(answer.body["code"]?.word ?? "status \(answer.status)"): \(answer.body["detail"]?.word ?? "")")
        throw ExitCode(1)
      }
      return answer.body
    }
  }

  /// The flag `--wait`. Without it, a command returns while sessions are still being moved.
  struct Waiting: ParsableArguments {
    @Flag(help: "Waits until the sessions have moved, or the rollout is paused or stopped; prints the progress on stderr.")
    var wait = false
  }

  struct Start: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "start", abstract: "Starts a rollout.")
    @OptionGroup var options: Options
    @Option(help: ArgumentHelp("The hash of the new definition.", valueName: "hash")) var to: String
    @Option(
      help: ArgumentHelp("Share of the app's sessions that get the new definition, such as 5%. (default: 100%)", valueName: "percent"))
    var share: String?
    @Option(
      help: ArgumentHelp(
        "When running sessions move: now, foreground, idle=10m or visible=SCREEN. (default: they never move)", valueName: "moment")
    )
    var when: String?
    @Option(help: ArgumentHelp("Maximum number of sessions moved per second. (default: 100)", valueName: "number")) var rate: Int?
    @Flag(help: "Moves no session; reports what a rollout would do.") var dryRun = false
    @OptionGroup var waiting: Waiting

    func run() throws {
      var body: [String: Value] = ["to": .string(to)]
      body["share"] = share.map(Value.string)
      body["rate"] = rate.map { Value.integer($0) }
      if dryRun { body["dryRun"] = true }
      if let when {
        let parts = when.split(separator: "=", maxSplits: 1).map(String.init)
        body["when"] = parts.count == 2 ? .object([parts[0]: .string(parts[1])]) : .string(when)
      }
      try options.send("POST", nil, .object(body), waits: waiting.wait)
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows the newest rollout of an app.")
    @OptionGroup var options: Options
    @OptionGroup var waiting: Waiting
    func run() throws { try options.send("GET", waits: waiting.wait) }
  }

  struct Pause: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "pause", abstract: "Pauses a rollout: no further sessions move until it is resumed.")
    @OptionGroup var options: Options
    func run() throws { try options.send("POST", "pause") }
  }

  struct Resume: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "resume", abstract: "Continues a paused rollout.")
    @OptionGroup var options: Options
    @OptionGroup var waiting: Waiting
    func run() throws { try options.send("POST", "resume", waits: waiting.wait) }
  }

  struct Stop: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "stop", abstract: "Ends a rollout. Moved sessions keep the new definition.")
    @OptionGroup var options: Options
    func run() throws { try options.send("POST", "stop") }
  }

  struct Revert: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revert",
      abstract: """
        Serves the old definition again. Sessions without an entry since their move get back their state from before it; the others are \
        migrated back if a migration to the old definition is stored.
        """)
    @OptionGroup var options: Options
    @OptionGroup var waiting: Waiting
    func run() throws { try options.send("POST", "revert", waits: waiting.wait) }
  }

  private static func print(_ rollout: Value) {
    func text(_ name: String) -> String { rollout[name]?.word ?? "" }
    let moment = rollout["when"].flatMap(\.word).map { ", running sessions move: \($0)" } ?? ", running sessions stay"
    let isDry = rollout["dryRun"] == true
    Terminal.print("\(text("app")): \(isDry ? "dry run, " : "")\(text("state"))")
    Terminal.print("  from \(text("from").prefix(12)) to \(text("to").prefix(12)), \(text("share"))\(moment), \(text("rate")) per second")
    Terminal.print(
      "  sessions: \(text("moved")) \(isDry ? "would move" : "moved"), \(text("unchanged")) of them unaffected by the migration; "
        + "\(text("waiting")) waiting for the condition in when"
    )
    if let progress = rollout["progress"] {
      func figure(_ name: String) -> String { progress[name]?.word ?? "" }
      let end = progress["expectedEnd"].flatMap(\.word).map { ", expected end at \($0)" } ?? ""
      Terminal.print(
        "  sessions not visited yet: \(figure("left")) of \(figure("total")); \(figure("perMinute")) visited per minute\(end)")
      Terminal.print("  this progress was recorded at \(figure("time")) by node \(figure("node"))")
    }
    if let earlier = rollout["earlier"] {
      let (share, to, state) = (earlier["share"]?.word ?? "", earlier["to"]?.word ?? "", earlier["state"]?.word ?? "")
      Terminal.print("  the previous rollout is still in effect: \(share) to \(to.prefix(12)), \(state)")
    }
    if rollout["reverted"] != 0 { Terminal.print("  \(text("reverted")) moved back") }
    for (name, verb) in [("lines", "by"), ("stays", "stay:")] {
      for sample in rollout[name]?.elements ?? [] {
        let (count, what, example) = (sample["count"]?.word ?? "", sample["what"]?.word ?? "", sample["example"]?.word ?? "")
        Terminal.print("  \(count) \(verb) \(what), such as \(example)")
      }
    }
  }
}
