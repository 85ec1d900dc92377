import ArgumentParser
import CairnClient
import CairnCore

/// `cairn session notify FILE`: posts a notification.
struct SessionNotifyCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Posts a notification: an APNs payload, or an FCM message.")

  enum Place: String, CaseIterable, ExpressibleByArgument { case foreground, background, killed }

  @Argument(help: ArgumentHelp("File with the payload, in JSON; - reads it from stdin.", valueName: "file"), completion: .file())
  var file: String

  @Option(help: "The state of the app when the notification arrives.")
  var state = Place.background

  @Flag(help: "The notification is received but not tapped.")
  var received = false

  @Option(help: ArgumentHelp("Identifier of the button that the user pressed.", valueName: "button"))
  var action: String?

  @Option(help: ArgumentHelp("The text of the user's reply.", valueName: "text"))
  var reply: String?

  @Flag(help: "Shows what the action would do, without performing it.")
  var plan = false

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    let payload = try InputText.json(file)
    let place = Action.AppState(rawValue: state.rawValue) ?? .background
    let manner = NotificationManner(isTapped: !received, appState: place, action: action, reply: reply)
    let answer = plan ? try await session.planNotify(payload, manner) : try await session.notify(payload, manner)
    SessionReport(options).show(answer)
    return SessionExit(answer.outcome)
  }
}
