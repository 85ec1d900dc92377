import CairnAPI
import CairnCore
package import CairnDefinition
import CairnHTTP
package import CairnJournal
import CairnStore

/// Checks each definition that does not come from the folder: a definition that an operator puts, that a rollout serves, or that an
/// imported session contains.
struct DefinitionAdmission {
  private let settings: Settings

  /// The reasons why a definition is refused.
  struct Refusal: Error {
    var items: [Problem.Item]

    /// The first three reasons, separated by semicolons.
    var text: String { items.prefix(3).map(\.detail).joined(separator: "; ") }
  }

  init(_ settings: Settings) { self.settings = settings }

  /// Throws unless the service accepts definitions from other sources than its folder (`appsWritable`).
  func admitNew() throws(Refusal) {
    guard settings.isWritable else {
      throw Refusal(items: [.init("is not stored here yet, and this service accepts definitions only from its folder (appsWritable)")])
    }
  }

  /// Checks a definition of an app as `cairn check` does, with the limits and the environment variables of this service. Throws all errors.
  func check(_ text: String, of app: String) throws(Refusal) -> LoadedDefinition {
    let loaded = try Self.check(text, of: app, settings.definitions)
    if let fault = loaded.definition.fault(in: settings.environment) {
      throw Refusal(items: [.init("the variable \(fault.variable), from which a fact is read, \(fault.fault)")])
    }
    return loaded
  }

  /// Checks a definition of an app as `cairn check` does, with the given limits. Throws all errors.
  static func check(_ text: String, of app: String, _ limits: DefinitionLimits) throws(Refusal) -> LoadedDefinition {
    let loaded: LoadedDefinition
    do {
      loaded = try DefinitionLoader.check(file: app, text: text, limits: limits)
    } catch {
      let errors = error.diagnostics.filter { $0.severity == .error }
      throw Refusal(items: errors.map { Problem.Item($0.message, line: $0.line, column: $0.column) })
    }
    guard loaded.definition.app == app else {
      let other = loaded.definition.app
      throw Refusal(items: [.init("the definition declares the app \(other), not \(app); send it with PUT /v1/apps/\(other)")])
    }
    return loaded
  }
}

extension Publisher {
  /// The checks of an imported session file. Each returns the reason why a value is invalid, or `nil`.
  var importChecks: ImportChecks {
    let admission = DefinitionAdmission(settings)
    return ImportChecks { (definition) throws(DefinitionAdmission.Refusal) in
      try admission.admitNew()
      _ = try admission.check(definition.text, of: definition.definition.app)
    }
  }
}

extension ImportChecks {
  /// Creates the checks of the contents of a database that a command copies or restores. `limits` are the limits for its definitions.
  package init(limits: DefinitionLimits) {
    self.init { (definition) throws(DefinitionAdmission.Refusal) in
      _ = try DefinitionAdmission.check(definition.text, of: definition.definition.app, limits)
    }
  }

  /// Creates the checks of labels, session ids, operators' names and request ids. `check` is the check of a definition.
  fileprivate init(_ check: @escaping @Sendable (PinnedDefinition) throws(DefinitionAdmission.Refusal) -> Void) {
    self.init(
      definition: { definition in
        do throws(DefinitionAdmission.Refusal) {
          try check(definition)
          return nil
        } catch {
          return error.text
        }
      },
      line: { CreationRequest.fault(ofLabel: $0) },
      session: { Identity.isSessionID($0) ? nil : "must be the letter s, followed by 23 letters, digits, - or _" },
      author: { OperatorKey.isName($0) ? nil : OperatorKey.wrongName },
      request: { Request.isID($0) ? nil : "must have 1 to 64 letters, digits and -_." })
  }
}
