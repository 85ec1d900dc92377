import CairnAPI
package import CairnCore
import CairnDefinition
import CairnHTTP
import CairnJournal
import CairnRuntime
import CairnStore
import Logging

// Publishes definitions that operators send in a PUT. Functions that block run on the publisher's job thread.
extension Publisher {
  /// The largest number of problems in a response.
  private static let limit = 1_000

  /// Maximum number of attempts if other nodes publish the same app at the same time.
  private static let attempts = 3

  /// Checks a definition as `cairn check` does, stores it durably, and then serves it. If another node publishes the app at the same time,
  /// checks the conditions again, against the definition of that node. Rejects the put after `attempts` attempts.
  func publish(_ put: PutDefinition) throws(Rejection) -> PutDefinition.Done {
    let loaded = try check(put)
    for _ in 0..<Self.attempts {
      if let done = try publish(put, loaded) { return done }
    }
    throw Rejection(StoreFault.contended)
  }

  /// Makes one attempt. Returns `nil` if another node has published the app since the conditions were checked.
  private func publish(_ put: PutDefinition, _ loaded: LoadedDefinition) throws(Rejection) -> PutDefinition.Done? {
    do throws(StoreFault) {
      if store.isShared { try adoptNewest(of: put.app) }
    } catch {
      throw Rejection(error)
    }
    var shelf = catalog.shelf
    // A definition that cannot be read is replaced as if it did not exist.
    let current = isRefused(put.app) ? nil : shelf.served[put.app]
    if let match = put.match, !match.match(current?.hash) { throw mismatch(current) }
    if let none = put.noneMatch, let current, none.match(current.hash) { throw mismatch(current) }
    if let current, current.hash == loaded.hash, put.rollout == nil {
      return .init(kind: .unchanged, definition: current, warnings: loaded.warnings)
    }
    let definition = PinnedDefinition(loaded)
    guard put.isServed else {
      do throws(StoreFault) {
        try keep([], texts: [loaded.hash: loaded.canonical])
      } catch {
        throw Rejection(error)
      }
      return .init(kind: .unchanged, definition: definition, warnings: loaded.warnings)
    }
    let edition = Edition(
      app: put.app, definition: loaded.hash, since: store.clock.now(), author: put.author, above: shelf.filed[put.app]?.definition.hash)
    do throws(StoreFault) {
      try keep([edition], texts: [loaded.hash: loaded.canonical], with: put.rollout)
    } catch {
      if case .outdated = error {
        if try hasMoved(put.rollout) { throw Self.rolloutHasChanged }
        return nil
      }
      if case .storage(let text) = error { log.error("storage", metadata: ["reason": "\(text)"]) }
      throw Rejection(error)
    }
    shelf.put(edition, definition)
    catalog.replace(with: shelf)
    log.notice(
      "audit",
      metadata: [
        "action": "put-definition", "app": "\(put.app)", "before": "\(current?.hash ?? "none")", "definition": "\(loaded.hash)",
        "request": "\(put.requestID)", "who": "\(put.author)",
      ])
    return .init(kind: current == nil ? .new : .changed, definition: definition, warnings: loaded.warnings)
  }

  /// Logs that an operator imported a session, with the definition that its file contained or named.
  func noteImport(_ imported: ImportedSession, request: String, by author: String) {
    let session = imported.session
    log.notice(
      "audit",
      metadata: [
        "action": "import-session", "app": "\(session.app)", "before": "\(catalog[session.app]?.hash ?? "none")",
        "definition": "\(session.definition.hash)", "request": "\(request)", "session": "\(session.id)", "who": "\(author)",
      ])
  }

  /// The rejection of a change that is based on an outdated version of the rollout.
  static let rolloutHasChanged = Rejection(
    .rolloutActive, "another request started or changed a rollout of the app; read the rollout, then try again")

  /// Whether an app's rollout has changed since it was read for `change`; `false` if `change` is `nil`.
  private func hasMoved(_ change: RolloutChange?) throws(Rejection) -> Bool {
    guard let change else { return false }
    do throws(StoreFault) {
      let stored: StoredRollouts = try answer { store.releases.rollouts(reply: $0) }
      return stored.version(of: change.rollout.app) != change.known
    } catch {
      throw Rejection(error)
    }
  }

  /// Logs that an operator put a migration.
  func noteMigration(_ migration: StoredMigration, request: String) {
    log.notice(
      "audit",
      metadata: [
        "action": "put-migration", "app": "\(migration.app)", "before": "\(migration.from)", "definition": "\(migration.to)",
        "request": "\(request)", "who": "\(migration.author ?? "")",
      ])
  }

  /// Logs that an operator began or changed a rollout.
  func noteRollout(_ rollout: Rollout, request: String, by author: String) {
    log.notice(
      "audit",
      metadata: [
        "action": "rollout-\(rollout.state.rawValue)", "app": "\(rollout.app)", "before": "\(rollout.from)", "definition": "\(rollout.to)",
        "request": "\(request)", "who": "\(author)",
      ])
  }

  private func check(_ put: PutDefinition) throws(Rejection) -> LoadedDefinition {
    do throws(DefinitionAdmission.Refusal) {
      let admission = DefinitionAdmission(settings)
      if !put.wasServed { try admission.admitNew() }
      return try admission.check(put.text, of: put.app)
    } catch {
      throw Self.invalid(error.items)
    }
  }

  private static func invalid(_ items: [Problem.Item]) -> Rejection {
    let reported = items.prefix(limit) + (items.count > limit ? [Problem.Item("and \(items.count - limit) more")] : [])
    let count = items.count == 1 ? "an error" : "\(items.count) errors"
    return Rejection(.invalidDefinition, "the definition has \(count); the served definition is unchanged", errors: Array(reported))
  }

  private func mismatch(_ current: PinnedDefinition?) -> Rejection {
    guard let current else { return Rejection(.definitionMismatch, "the app is not served; to add it, omit If-Match") }
    return Rejection(
      .definitionMismatch, "the app is now served with another definition; read that definition, then try again", headers: current.tag)
  }
}

extension PinnedDefinition {
  /// The `ETag` header of a definition, which contains its hash.
  var tag: Headers { ["ETag": "\"\(hash)\""] }
}

extension Definition {
  /// Returns the first environment variable whose value does not fit its fact's type, with the reason; `nil` if all values fit. The service
  /// checks the values before a session is created.
  package func fault(in environment: (String) -> String?) -> (variable: String, fault: String)? {
    for fact in facts.values.sorted(by: { ($0.environment ?? "") < ($1.environment ?? "") }) {
      guard let variable = fact.environment, let text = environment(variable) else { continue }
      if let fault = fact.type.fault(of: fact.type.read(text)) { return (variable, fault) }
    }
    return nil
  }
}
