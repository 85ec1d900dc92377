import ArgumentParser
import CairnClient
import CairnCore

/// `cairn session step NAME [PARAM=VALUE…]`: sends a step.
struct SessionStepCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "step", abstract: "Posts a step.",
    discussion: "A param gets the type that the app declares: withId=5 is the number 5 for an integer, and the text 5 for a string.")

  @Argument(help: "Name of the step.", completion: SessionCompletion.steps)
  var name: String

  @Argument(help: ArgumentHelp("Params of the step.", valueName: "param=value"))
  var params: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Node of the screen that emits the step, such as n7. (default: the visible screen) If that screen is covered or closed, the step is \
      refused, unless the definition has covered: accept or the screen has listen.
      """,
      valueName: "node"))
  var from: String?

  @Flag(help: "Shows what the action would do, without performing it.")
  var plan = false

  @OptionGroup var options: SessionOptions

  func validate() throws {
    for param in params where TypedParams.split(param) == nil {
      throw ValidationError("a param must have the form name=value, not \"\(param)\"")
    }
    if let from, NodeID(from) == nil { throw ValidationError("--from must be a node such as n7, not \"\(from)\"") }
  }

  func play() async throws -> SessionExit {
    let (session, remembered) = try options.target()
    let node = from.flatMap { NodeID($0) }
    // Reading the session also updates the client's visible screen, to which the step is bound.
    let view = params.isEmpty && node != nil ? nil : try await session.session()
    let types = if let view { try await types(view, of: options.client(of: remembered)) } else { [String: String]() }
    let given = params.compactMap(TypedParams.split).map { ($0.name, TypedParams.value($0.text, type: types[$0.name])) }
    let all = Dictionary(given) { $1 }
    let answer = plan ? try await session.plan(.step(name, all, from: node)) : try await session.step(name, all, from: node)
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }

  /// Returns the types of the step's params. The types come from the session if the session accepts the step now, and otherwise from the
  /// app's current definition.
  private func types(_ view: SessionView, of client: CairnClient) async throws -> [String: String] {
    if params.isEmpty { return [:] }
    if let accepted = view.accepts.steps.first(where: { $0.step == name }) { return accepted.params }
    return try await client.app(view.app).steps.first { $0.step == name }?.params ?? [:]
  }
}
