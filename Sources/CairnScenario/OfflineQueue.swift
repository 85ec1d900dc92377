import CairnAPI
package import CairnCore

/// The actions of a user whose client has no network, as the client posts them later: numbered, each with the node on which the user acted.
package struct OfflineQueue: Sendable {
  /// The id of the scenario's client.
  static let client = "cairn-scenario-offline"

  /// The revision that the client showed when it lost the network.
  let seen: Int
  /// The number of the first action.
  let first: WideInt
  /// The actions, without `seen`.
  private(set) var actions: [Value] = []
  /// The numbers that the client's next node would get: before the first action, and after each action.
  private var nextNodes: [WideInt]
  /// The covers that others have put over the pages of revision `seen`.
  private(set) var covers = CoverBook()
  /// The nodes that the delivered actions have created, by the actions' numbers.
  private var created: [WideInt: [NodeID]] = [:]

  /// Creates the queue of a client that shows this state. `first` is the number of its first action.
  init(showing state: State, first: WideInt) {
    (seen, self.first, nextNodes) = (state.revision, first, [state.nextNode])
  }

  /// The body of the request in which the client posted `contact` before it lost the network; `nil` if it posted no `contact`.
  package var report: Value?

  /// The number of the last action.
  var last: WideInt { first + WideInt(actions.count) - 1 }

  /// Appends an action. `state` is the state that the client shows after it.
  mutating func append(_ action: Value, showing state: State) {
    actions.append(referring(action))
    nextNodes.append(state.nextNode)
  }

  /// Appends the action `contact`, with which the client reports that it has sent everything.
  package mutating func appendContact() {
    actions.append(Self.contact)
    nextNodes.append(nextNodes[nextNodes.count - 1])
  }

  static let contact: Value = ["type": "contact"]

  /// Returns the action with references instead of the nodes that earlier actions of the queue create, because the service may give these
  /// nodes other ids. A reference consists of the number of the earlier action and the node's index among its nodes.
  private func referring(_ action: Value) -> Value {
    var action = action
    for member in ["from", "node"] {
      guard case .string(let text)? = action[member], let id = NodeID(text),
        let index = actions.indices.first(where: { nextNodes[$0] <= id.number && id.number < nextNodes[$0 + 1] })
      else { continue }
      action.set(["action": .integer(first + WideInt(index)), "node": .integer(id.number - nextNodes[index])], at: [member])
    }
    return action
  }

  /// The bodies of the requests that deliver the queue, each with at most `NumberedRequest.limit` actions. `seen` is the revision that the client showed.
  package func bodies(seen: Int) -> [Value] {
    stride(from: 0, to: actions.count, by: NumberedRequest.limit).map { start in
      let part = actions[start..<min(start + NumberedRequest.limit, actions.count)].map { action in
        var action = action
        action.set(.integer(WideInt(seen)), at: ["seen"])
        return action
      }
      return ["client": .string(Self.client), "first": .integer(first + WideInt(start)), "actions": .array(part)]
    }
  }

  /// The queue as the service reads it. Throws if an action cannot be posted as a numbered action.
  func items() throws(Refusal) -> [NumberedRequest.Item] {
    var items: [NumberedRequest.Item] = []
    for body in bodies(seen: seen) {
      do {
        items += try JSONBody.read(body) { element throws(BodyFault) in try NumberedRequest(element, byOperator: true) }.actions
      } catch {
        throw Refusal(.invalid, "these actions cannot be posted later: \(error.text)")
      }
    }
    return items
  }

  /// Returns the command of an item, with the ids of nodes instead of references to earlier actions. Throws if a referenced node was not created,
  /// unless the action answers a guard's question.
  func command(of item: NumberedRequest.Item, by reducer: Reducer) throws(Refusal) -> Command {
    guard case .action(let action) = item.command else { return item.command }
    var values = action.values
    for node in item.nodes {
      values[node.place] = .integer(try node.id(among: created[node.action], isAnswer: reducer.answersGuard(action)).number)
    }
    return Action(action.kind, values).map { .action($0) } ?? item.command
  }

  /// Records the covers that an occurrence before the delivery has put over the client's pages.
  mutating func note(_ commands: [ScenarioRun.Ran], from old: State, to new: State) {
    var state = old
    for next in commands.flatMap({ [$0.before] + $0.states }) + [new] where next.revision != state.revision {
      covers.note(from: state, to: next, isOwn: false)
      state = next
    }
  }

  /// Records the nodes that a delivered action has created, and drops the covers that it has removed. A refused action has done neither.
  mutating func note(_ item: NumberedRequest.Item, from old: State, to new: State) {
    covers.note(from: old, to: new, isOwn: true)
    created[item.number] = CreatedNode.nodes(from: old.nextNode, to: new.nextNode)
  }
}

extension Value {
  /// The step of an action, or its type.
  package var actionName: String { (self["step"] ?? self["type"] ?? .null).shortText }
}
