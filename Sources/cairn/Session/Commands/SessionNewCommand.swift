import ArgumentParser
import CairnClient
import CairnCore
import Foundation

/// `cairn session new APP`: starts a session and stores it on this machine.
struct SessionNewCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Starts a session, stores its secret on this machine, and shows the session.")

  @Argument(help: "Name of the app.", completion: SessionCompletion.apps)
  var app: String

  @Option(help: ArgumentHelp("The session's name on this machine. (default: its id)", valueName: "name"))
  var name: String?

  @Option(help: ArgumentHelp("A label by which operators can find the session.", valueName: "label"))
  var label: String?

  @Option(help: ArgumentHelp("The access token of a returning user; - reads it from stdin.", valueName: "token"))
  var token: String?

  @Option(help: ArgumentHelp("The link that starts the session (a cold start).", valueName: "url"))
  var open: String?

  @Option(
    help: ArgumentHelp(
      "File with the payload (JSON) of the notification that starts the session; - reads it from stdin.", valueName: "file"))
  var notification: String?

  @Option(help: ArgumentHelp("A fact that the session has at the start, as name=value; repeatable.", valueName: "name=value"))
  var fact: [String] = []

  @Flag(help: "Uses a manual clock, which only the command advance moves.")
  var manualClock = false

  @Option(help: ArgumentHelp("Time at which a manual clock starts, such as 2026-03-01T12:00:00Z.", valueName: "time"))
  var clock: String?

  @OptionGroup var options: SessionOptions

  var actsOnSession: Bool { false }

  func validate() throws {
    if open != nil, notification != nil {
      throw ValidationError("a session starts with a link or with a notification, not with both; omit --open or --notification")
    }
    if let clock, ISOTime.milliseconds(clock) ?? -1 < 0 {
      throw ValidationError("--clock must be a time with a time zone, from 1970 on, like 2026-03-01T12:00:00Z, not \"\(clock)\"")
    }
    for fact in fact where TypedParams.split(fact) == nil { throw ValidationError("a fact must have the form name=value, not \"\(fact)\"") }
  }

  func play() async throws -> SessionExit {
    let client = try options.client()
    var start = SessionStart(accessToken: try token.map(InputText.line), label: label)
    if let open { start.arrival = .link(open) }
    if let notification { start.arrival = .notification(try InputText.json(notification)) }
    start.hasManualClock = manualClock
    start.clockStart = clock.flatMap(ISOTime.milliseconds)
    if !fact.isEmpty {
      let types = Dictionary(try await client.app(app).facts.map { ($0.fact, $0.type) }) { $1 }
      for (name, text) in fact.compactMap(TypedParams.split) { start.facts[name] = TypedParams.value(text, type: types[name]) }
    }
    let session = try await client.start(app: app, start)
    guard let created = session.created else { return .failed }
    let report = SessionReport(options)
    remember(session, named: name, of: app, at: client.address)
    report.show(created)
    switch created.opened {
    case .refused(let problem)?:
      report.complain(.refused(problem), of: client.address)
      return .refused
    case .performed(let answer)?: return SessionExit(answer.outcome)
    case nil: return .done
    }
  }
}
