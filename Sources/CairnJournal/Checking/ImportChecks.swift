package import CairnCore

/// The checks of the contents of an imported session file. The same checks apply to a PUT of a definition, and to the fields of other
/// requests. Each check returns the reason for a refusal, or `nil` if the value is valid. Called on a reader's thread. The import itself
/// checks the file's syntax.
package struct ImportChecks: Sendable {
  /// Checks a definition in the file that the store does not have yet.
  package var definition: @Sendable (PinnedDefinition) -> String?
  /// Checks a label, or the reason of an undo.
  package var line: @Sendable (String) -> String?
  /// Checks the id of another session from which a state or the file was copied.
  package var session: @Sendable (String) -> String?
  /// Checks the operator's name in an entry (`Entry.author`).
  package var author: @Sendable (String) -> String?
  /// Checks the id of the request that created an entry.
  package var request: @Sendable (String) -> String?

  package init(
    definition: @escaping @Sendable (PinnedDefinition) -> String?, line: @escaping @Sendable (String) -> String?,
    session: @escaping @Sendable (String) -> String?, author: @escaping @Sendable (String) -> String?,
    request: @escaping @Sendable (String) -> String?
  ) {
    self.definition = definition
    self.line = line
    self.session = session
    self.author = author
    self.request = request
  }
}

extension ImportChecks {
  /// Checks the author, the request's id, the reason of an undo and another session's id in an entry. Returns the reason why one of them is
  /// refused; `nil` if all are valid.
  package func fault(of entry: Entry) -> String? {
    if let fault = entry.author.flatMap(author) { return "its author \(fault)" }
    if let fault = entry.request.flatMap(request) { return "the id of its request \(fault)" }
    switch entry.cause {
    case .replacement(.undone(_, let reason)): return reason.flatMap(line).map { "its reason \($0)" }
    case .replacement(.forked(let id, _)), .replacement(.imported(let id)): return session(id).map { "the id of the other session \($0)" }
    case .replacement(.scenario), .replacement(.migrated), .creation, .action: return nil
    }
  }

  /// Checks a state that no action produced. Returns the reason why it is refused, or `nil` if it is valid. All other states need no check:
  /// the reducer produces them from a definition that was checked.
  package static func fault(of state: State, _ definition: PinnedDefinition) -> String? {
    if let fault = state.faults.first { return fault }
    for effect in state.effects {
      guard let terms = effect.terms else { continue }
      let own = (definition.definition.loads.compactMap(\.request) + definition.definition.submissions.map(\.request)).flatMap(
        \.variables.values)
      if let variable = terms.variables.values.first(where: { !own.contains($0) }) {
        return "effect \(effect.id) sends the environment variable \(variable.prefix(64)), which no load of the definition sends"
      }
    }
    return nil
  }
}
