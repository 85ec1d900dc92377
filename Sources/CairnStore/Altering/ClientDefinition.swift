import CairnCore

/// The definition for which a client made a post. If the session has another one, the post is mapped by the migrations between them.
package struct ClientDefinition: Hashable, Sendable {
  /// The definition's hash.
  package var hash: String
  /// Whether an operator posts. Facts that only operators may set are checked under their new names.
  package var byOperator: Bool

  package init(_ hash: String, byOperator: Bool) {
    self.hash = hash
    self.byOperator = byOperator
  }
}

extension Staged {
  /// The commands with the names of the session's definition. Throws `definitionChanged` if one of them has no equivalent.
  func mapped(_ commands: [Command], from made: ClientDefinition?, _ parts: StoreParts) throws(StoreFault) -> [Command] {
    let current = session.definition
    guard let made else { return commands }
    guard made.hash != current.hash else {
      // The session may have moved to this definition after the request was authorized.
      if !made.byOperator { try checkFacts(of: commands) }
      return commands
    }
    guard let chain = try parts.way(from: made.hash, to: current.hash, of: session.app) else {
      throw .definitionChanged(current: current.hash, reason: "no migration leads there from the definition that the request was made for")
    }
    let stamp = Stamp(time: session.state.manualTime ?? parts.clock.now(), nonce: "")
    var mapped: [Command] = []
    do throws(MigrationObstacle) {
      for command in commands { mapped.append(try chain.mapped(command, in: session.state, stamp: stamp)) }
    } catch {
      throw .definitionChanged(current: current.hash, reason: error.reason)
    }
    if !made.byOperator { try checkFacts(of: mapped) }
    return mapped
  }

  /// Throws `definitionChanged` if a client's commands set a fact that only operators may set.
  private func checkFacts(of commands: [Command]) throws(StoreFault) {
    let definition = session.definition
    for case .action(.facts(let values)) in commands {
      if let part = definition.definition.operatorsPart(ofSetting: values) {
        throw .definitionChanged(current: definition.hash, reason: "\(part) needs an operator's key")
      }
    }
  }
}
