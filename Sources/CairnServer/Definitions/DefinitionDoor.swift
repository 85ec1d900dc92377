import CairnAPI
import CairnCore
import CairnDefinition
import CairnHTTP
import CairnStore

/// The door through which every definition comes that is not in the folder: put by an operator, served by a rollout, or brought by an imported session.
struct DefinitionDoor {
  private let settings: Settings

  /// The reasons why a definition is refused.
  struct Refusal: Error {
    var items: [Problem.Item]

    /// The first reasons as one text.
    var text: String { items.prefix(3).map(\.detail).joined(separator: "; ") }
  }

  init(_ settings: Settings) { self.settings = settings }

  /// Throws unless definitions may come from elsewhere than the folder.
  func admitNew() throws(Refusal) {
    guard settings.isWritable else {
      throw Refusal(items: [.init("is new, but this service reads definitions only from its folder (appsWritable)")])
    }
  }

  /// Checks a definition of an app as `cairn check` does, with the limits and the variables of this service.
  func check(_ text: String, of app: String) throws(Refusal) -> LoadedDefinition {
    let loaded: LoadedDefinition
    do {
      loaded = try DefinitionLoader.check(file: app, text: text, limits: settings.definitions)
    } catch {
      let errors = error.diagnostics.filter { $0.severity == .error }
      throw Refusal(items: errors.map { Problem.Item($0.message, line: $0.line, column: $0.column) })
    }
    guard loaded.definition.app == app else {
      let other = loaded.definition.app
      throw Refusal(items: [.init("this is a definition of the app \(other); put it to /v1/apps/\(other)")])
    }
    if let fault = loaded.definition.fault(in: settings.environment) {
      throw Refusal(items: [.init("the variable \(fault.variable), from which a fact is read, \(fault.fault)")])
    }
    return loaded
  }
}

extension Publisher {
  /// The checks of what a session's file brings in.
  var door: ImportDoor {
    let door = DefinitionDoor(settings)
    return ImportDoor(
      definition: { definition in
        do throws(DefinitionDoor.Refusal) {
          try door.admitNew()
          _ = try door.check(definition.text, of: definition.definition.app)
          return nil
        } catch {
          return error.text
        }
      },
      line: { CreationRequest.fault(ofLabel: $0) },
      session: { Identity.isSessionID($0) ? nil : "must be the id of a session" },
      author: { OperatorKey.isName($0) ? nil : OperatorKey.wrongName },
      request: { Request.isID($0) ? nil : "must have 1 to 64 letters, digits and -_." })
  }
}
