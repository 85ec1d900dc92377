import CairnAPI
import CairnConsole

extension Route {
  /// What may be asked there by a method; nil: that is described nowhere.
  func endpoint(_ method: RequestRecord.Method) -> Endpoint? {
    switch (self, method) {
    case (.sessions, .get): .listSessions
    case (.sessions, .post): .startSession
    case (.sessions, .delete): .endSessions
    case (.session, .get): .showSession
    case (.session, .delete): .endSession
    case (.stack, .get): .showStack
    case (.history, .get): .showHistory
    case (.actions, .post): .postActions
    case (.open, .post): .openLink
    case (.notifications, .post): .postNotification
    case (.events, .get): .listenToSession
    case (.ticket, .post): .sellTicket
    case (.allEvents, .get): .listenToAll
    case (.allTicket, .post): .sellTicketForAll
    case (.apps, .get): .listApps
    case (.app, .get): .showApp
    case (.app, .put): .putApp
    case (.versions, .get): .listVersions
    case (.graph, .get): .showGraph
    case (.check, .get): .showCheck
    case (.links, .get): .showLinks
    case (.console, .get): .showConsole
    case (.consoleFile, .get): .showConsoleFile
    case (.appDocument, .get): .showAppDocument
    case (.document, .get): .showDocument
    case (.livez, .get): .showLife
    case (.readyz, .get): .showReadiness
    case (.metrics, .get): .showMetrics
    default: nil
    }
  }

  /// What stands in the braces of the template.
  var placeholder: (name: String, schema: Schema)? {
    if template.contains("{id}") { return ("id", .shared(.sessionID)) }
    if template.contains("{file}") {
      return ("file", Schema.words(ConsoleFile.all.map(\.name).filter { !$0.isEmpty }).about("A file of the console."))
    }
    return template.contains("{app}") ? ("app", Schema.text(like: "^[a-z][a-z0-9-]*$").about("An app by its name.")) : nil
  }
}
