import CairnAPI

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
    case (.apps, .get): .listApps
    case (.app, .get): .showApp
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
    return template.contains("{app}") ? ("app", Schema.text(like: "^[a-z][a-z0-9-]*$").about("An app by its name.")) : nil
  }
}
