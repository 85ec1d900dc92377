import ArgumentParser
import CairnClient
import CairnCore
import Foundation

/// `cairn session act JSON`: posts any action, or any array of actions.
struct SessionActCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "act", abstract: "Posts any action, or an array of actions that is applied as a whole or not at all.")

  @Argument(help: ArgumentHelp("The action, such as '{\"type\":\"dismiss\"}'; - reads it from stdin.", valueName: "json"))
  var action: String

  @Flag(help: "Shows what the action would do, without performing it.")
  var plan = false

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let report = SessionReport(options)
    let json = try json()
    guard case .array(let actions) = json else {
      let action = SessionAction(json)
      let answer = plan ? try await session.plan(action) : try await session.act(action)
      report.show(answer)
      return SessionExit(answer.outcome)
    }
    let all = actions.map { SessionAction($0) }
    let answer = plan ? try await session.plan(all) : try await session.act(all)
    report.show(answer)
    return answer.answers.allSatisfy { $0.outcome == .unchanged } ? .unchanged : .done
  }

  private func json() throws -> Value {
    if action == "-" { return try InputText.json(action) }
    guard let value = try? JSONDecoder().decode(Value.self, from: Data(action.utf8)) else {
      throw ValidationError("an action must be JSON, such as '{\"type\":\"dismiss\"}'")
    }
    return value
  }
}
