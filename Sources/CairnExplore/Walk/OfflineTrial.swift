import CairnCore

/// Tries what users do without a network: in a state, each queue of actions that the client shows, after each entry of the service that the user
/// has not seen.
struct OfflineTrial {
  private let player: Player
  private let catalogue: Catalogue
  /// The maximum number of actions in a queue.
  private let length: Int

  /// A queue of which the service refuses the last action, and no other.
  struct Refused {
    var observation: Observation
    var taps: [Move]
    var entry: Move
    /// The last action and the code of its refusal, as a scenario expects it.
    var text: String
  }

  /// An action that the client shows, and the actions that are possible after it.
  private struct Tap {
    var move: Move
    /// The action with the node that the user saw.
    var action: Action
    var screen: String
    /// The nodes that the action creates in the client.
    var created: [NodeID]
    var next: [Tap]
  }

  /// The delivery of a queue after an entry.
  private struct Delivery {
    let entry: Move
    let seen: Int
    var taps: [Move] = []
    var state: State
    var covers = CoverBook()
    /// The ids of the client's nodes in the service. A node that the service has not created has the id 0.
    var ids: [NodeID: NodeID] = [:]
  }

  init(_ player: Player, _ catalogue: Catalogue, length: Int) {
    self.player = player
    self.catalogue = catalogue
    self.length = length
  }

  /// The queues of a state that are refused in part, always in the same order. `moves` are the moves of the state.
  func refused(in state: State, _ moves: [Move]) -> [Refused] {
    let taps = taps(in: state, moves, count: length)
    guard !taps.isEmpty else { return [] }
    var found: [Refused] = []
    for entry in moves where isOfService(entry) {
      var delivery = Delivery(entry: entry, seen: state.revision, state: state)
      guard (try? player.make(entry, on: &delivery.state, depth: 0)) != nil, delivery.state.revision != state.revision else { continue }
      delivery.covers.note(from: state, to: delivery.state, isOwn: false)
      deliver(taps, delivery, &found)
    }
    return found
  }

  /// The actions that a client shows in a state. Of each step, only the first values that change something are tried.
  private func taps(in state: State, _ moves: [Move], count: Int) -> [Tap] {
    var taps: [Tap] = []
    var names: Set<String> = []
    for move in moves {
      guard case .action(let given) = move.deed, move.maker == .user, !isOfService(move) else { continue }
      let name = given.kind == .step ? "\(given.name) \(given.origin.map { "\($0)" } ?? "")" : move.inLine
      guard !names.contains(name) else { continue }
      let action = given.acting(seeing: state)
      var next = state
      guard (try? player.make(action, on: &next)) != nil, next.revision != state.revision else { continue }
      names.insert(name)
      let more = count > 1 ? self.taps(in: next, catalogue.moves(in: next, of: player.reducer), count: count - 1) : []
      taps.append(
        Tap(
          move: move, action: action, screen: player.reducer.front(of: state)?.screen ?? "nothing",
          created: CreatedNode.nodes(from: state.nextNode, to: next.nextNode), next: more))
    }
    return taps
  }

  private func deliver(_ taps: [Tap], _ before: Delivery, _ found: inout [Refused]) {
    for tap in taps {
      var delivery = before
      delivery.taps.append(tap.move)
      let action = tap.action.renaming(delivery.ids)
      do throws(Refusal) {
        try player.make(action, under: delivery.covers.covers(since: delivery.seen), on: &delivery.state)
      } catch {
        // The service refuses an action on a node that an earlier action has not created.
        let code = action.origin == .neverCreated ? Refusal.Code.dismissed.rawValue : error.code.rawValue
        let reason = "\(code) after \(name(of: delivery.entry))"
        found.append(
          Refused(
            observation: Observation(kind: .offline, subject: "\(action.name) on \(tap.screen)", reason: reason), taps: delivery.taps,
            entry: delivery.entry, text: "\(action.name) \(code)"))
        continue
      }
      delivery.covers.note(from: before.state, to: delivery.state, isOwn: true)
      let made = CreatedNode.nodes(from: before.state.nextNode, to: delivery.state.nextNode)
      for (index, id) in tap.created.enumerated() { delivery.ids[id] = made.indices.contains(index) ? made[index] : .neverCreated }
      deliver(tap.next, delivery, &found)
    }
  }

  /// Whether a move is an entry that others or the service make: a step of an operator, a notification, a deadline, or the end of a request.
  private func isOfService(_ move: Move) -> Bool {
    switch move.deed {
    case .action(.step(let step, _)): catalogue.definition.steps[step.step]?.isOperators == true
    case .action(.notification), .advance, .end: true
    default: false
    }
  }

  private func name(of entry: Move) -> String {
    switch entry.deed {
    case .action(.step(let step, _)): "the step \(step.step)"
    case .action(.notification(_, let category, _, _, _)): "a notification" + (category.map { " of the category \($0)" } ?? "")
    case .advance: "a deadline"
    default: "the end of a request"
    }
  }
}

extension Action {
  /// The step, or the type of another action.
  fileprivate var name: String { if case .step(let step, _) = self { step.step } else { kind.word } }

  /// The action with the node that its user sees.
  fileprivate func acting(seeing state: State) -> Action {
    let node = origin ?? origin(seeing: state)
    return switch self {
    case .step(let step, _): .step(step, from: node)
    case .gesture(let gesture, _): .gesture(gesture, from: node)
    default: self
    }
  }
}
