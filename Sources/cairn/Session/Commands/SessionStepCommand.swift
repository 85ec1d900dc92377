import ArgumentParser
import CairnClient
import CairnCore

/// `cairn session step NAME [PARAM=VALUE…]`.
struct SessionStepCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Says what happened.",
    discussion: "A param's value has the type that the app gives it: of an integer withId=5 is 5, of a string \"5\".")

  @Argument(help: "The step.")
  var name: String

  @Argument(help: ArgumentHelp("Its params.", valueName: "param=value"))
  var params: [String] = []

  @Option(help: ArgumentHelp("The screen that says it, like n7; without it, the visible one.", valueName: "node"))
  var from: String?

  @Flag(help: "What it would do; nothing of it happens.")
  var plan = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    for param in params where TypedParams.split(param) == nil { throw ValidationError("a param is name=value, not \"\(param)\"") }
    if let from, NodeID(from) == nil { throw ValidationError("a node is like n7, not \"\(from)\"") }
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let types = params.isEmpty ? [:] : try await types(session)
    let given = params.compactMap(TypedParams.split).map { ($0.name, TypedParams.value($0.text, type: types[$0.name])) }
    let action = SessionAction.step(name, Dictionary(given) { $1 }, from: from.flatMap { NodeID($0) })
    let answer = plan ? try await session.plan(action) : try await session.act(action)
    SessionReport(options).tell(answer)
    return SessionExit(answer.outcome)
  }

  /// By the session's own definition where it accepts the step now, else by the app's.
  private func types(_ session: SessionClient) async throws -> [String: String] {
    let view = try await session.session()
    if let accepted = view.accepts.steps.first(where: { $0.step == name }) { return accepted.params }
    return try await options.client().app(view.app).steps.first { $0.step == name }?.params ?? [:]
  }
}
