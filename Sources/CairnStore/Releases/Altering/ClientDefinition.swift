import CairnCore
import CairnJournal

/// The definition for which a client made a post. If the session has another definition, the post is mapped by the migrations between the
/// two.
package struct ClientDefinition: Hashable, Sendable {
  /// The definition's hash.
  package var hash: String
  /// Whether an operator made the post. If not, the mapped commands must not contain anything that only operators may post.
  package var byOperator: Bool

  package init(_ hash: String, byOperator: Bool) {
    self.hash = hash
    self.byOperator = byOperator
  }
}

extension Staged {
  /// Returns the commands for the session's definition. Commands that were made for another definition are mapped by migrations. Throws
  /// `definitionChanged` if a command has no equivalent.
  func mapped(_ commands: [Command], from made: ClientDefinition?, _ parts: StoreParts) throws(StoreFault) -> [Command] {
    let current = session.definition
    guard let made else { return commands }
    guard made.hash != current.hash else { return commands }
    guard let chain = try parts.way(from: made.hash, to: current.hash, of: session.app) else {
      throw .definitionChanged(
        current: current.hash,
        reason: "no migration leads from the definition for which the request was made to the current one")
    }
    let stamp = Stamp(time: session.state.manualTime ?? parts.clock.now(), nonce: "")
    var mapped: [Command] = []
    do throws(MigrationObstacle) {
      for command in commands { mapped.append(try chain.mapped(command, in: session.state, stamp: stamp)) }
    } catch {
      throw .definitionChanged(current: current.hash, reason: error.reason)
    }
    if !made.byOperator, let (part, _) = operatorsPart(of: mapped) {
      throw .definitionChanged(current: current.hash, reason: "\(part) requires an operator's key")
    }
    return mapped
  }

  /// Throws `operatorOnly` if a client's commands, made for the session's definition, contain something that only operators may post. The
  /// caller first looks for the stored response to a repeated request, because that response may be from before a migration.
  func authorize(_ commands: [Command], from made: ClientDefinition?) throws(StoreFault) {
    guard let made, !made.byOperator, made.hash == session.definition.hash, let (part, index) = operatorsPart(of: commands) else { return }
    throw .operatorOnly(part, index: index)
  }

  /// The first part of the commands that only operators may post, as a phrase, with the index of its command; `nil` if clients may post all
  /// parts.
  private func operatorsPart(of commands: [Command]) -> (part: String, index: Int)? {
    for (index, command) in commands.enumerated() {
      if let part = session.definition.definition.operatorsPart(of: command) { return (part, index) }
    }
    return nil
  }
}
