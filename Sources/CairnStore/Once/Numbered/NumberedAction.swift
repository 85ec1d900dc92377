package import CairnCore
package import CairnJournal

/// An action with the number that its client gave to it.
package struct NumberedAction: Sendable {
  package var number: WideInt
  package var command: Command
  /// The fields of the action that name a node not by its id, but by the number of the action that creates it.
  package var nodes: [CreatedNode]
  /// The revision that the client showed when its user made the action; `nil` if the client did not send it.
  package var seen: Int?
  /// The time of the action by the client's clock in milliseconds since 1970; `nil` if the client gives no time.
  package var at: WideInt?
  /// The fingerprint of the action and of its author.
  package var print: Fingerprint

  package init(_ command: Command, number: WideInt, nodes: [CreatedNode] = [], seen: Int? = nil, at: WideInt? = nil, print: Fingerprint) {
    self.command = command
    self.number = number
    self.nodes = nodes
    self.seen = seen
    self.at = at
    self.print = print
  }

  /// The command with the ids of the nodes to which it refers. `created` returns the nodes that an action has created, or `nil` if they are
  /// not known. Throws if a node is unknown or was never created. An answer to a guard and a tick of a timer do not throw if their node was
  /// never created; they change nothing.
  func command(
    isAnswer: (Action) -> Bool, _ created: (WideInt) throws(StoreFault) -> [NodeID]?
  ) throws(StoreFault) -> Command {
    guard case .action(let action) = command, !nodes.isEmpty else { return command }
    var values = action.values
    for node in nodes {
      let all = try created(node.action)
      do throws(Refusal) {
        values[node.place] = .integer(try node.id(among: all, isAnswer: isAnswer(action) || action.kind == .tick).number)
      } catch {
        throw .refused(error, index: 0, revision: 0)
      }
    }
    return Action(action.kind, values).map { .action($0) } ?? command
  }
}
