import CairnCore
import CairnDefinition

/// Tries what users do without a network: in a state, each queue of actions that the client shows, after each entry of the service that the user
/// has not seen.
///
/// Entries are tried only before a queue. An entry between two actions has the same effect as an entry before a queue that begins with the
/// second action, in the state after the first action. The walk contains this state too. An entry after a queue is a move of the state
/// after all actions.
struct OfflineTrial {
  let player: Player
  let catalogue: Catalogue
  private let relevance: Relevance
  /// The maximum number of actions in a queue.
  private let length: Int
  /// The steps that carry the results of flows.
  private let resultSteps: Set<String>

  init(_ player: Player, _ catalogue: Catalogue, _ relevance: Relevance, length: Int) {
    (self.player, self.catalogue, self.relevance, self.length) = (player, catalogue, relevance, length)
    let definition = catalogue.definition
    let made = definition.flows.values.flatMap(\.arrivals) + definition.operations.flatMap(\.parts.makes)
    resultSteps = Set(made.compactMap(\.contribution.then?.step))
  }

  /// The faults of the queues in a state, each with the first queue that has the fault. `moves` are the moves of the state.
  func faults(in state: State, _ moves: [Move]) -> [Observation: Fault] {
    let taps = taps(in: state, moves, count: length)
    guard !taps.isEmpty else { return [:] }
    var faults: [Observation: Fault] = [:]
    // Entries that lead to the same state cause the same faults.
    var reached: Set<StateFingerprint> = []
    let contact = settles ? reported(state) : nil
    for entry in moves where isOfService(entry) {
      var remedy = remedy(against: entry)
      if let contact, let held = holding(entry, since: contact) {
        if catalogue.definition.offlineFor != nil {
          deliver(taps, held, &faults)
          continue
        }
        // Without `offlineFor`, clients do not report themselves, so the service does not wait for a client that has not acted yet.
        remedy = "unless the app has offlineFor"
      }
      var next = state
      guard (try? player.make(entry, on: &next, depth: 0)) != nil, next.revision != state.revision,
        reached.insert(player.reducer.fingerprint(of: next, seeing: relevance)).inserted
      else { continue }
      deliver(taps, delivery(after: entry, from: state, to: next, remedy), &faults)
    }
    return faults
  }

  private func delivery(after entry: Move, from state: State, to next: State, _ remedy: String?) -> Delivery {
    let made = state.nextNode..<max(state.nextNode, next.nextNode)
    let modals = ModalOutlook(of: next)
    let front = modals.visible.last.flatMap { isOpenLock($0, among: modals) && made.contains($0.number) ? $0 : nil }
    var delivery = Delivery(
      entry: entry, seen: state.revision, arrived: next, made: made, alerts: modals.created(since: made.lowerBound), openLock: front,
      remedy: remedy, state: next)
    delivery.covers.note(from: state, to: next, isOwn: false)
    return delivery
  }

  /// The actions that a client shows in a state. Of each step, only the first values that change something are tried. Of actions that lead to the same
  /// state, only the first is followed by others.
  private func taps(in state: State, _ moves: [Move], count: Int) -> [Tap] {
    var taps: [Tap] = []
    var names: Set<String> = []
    var reached = [player.reducer.fingerprint(of: state, seeing: relevance)] as Set
    for move in moves {
      guard case .action(let given) = move.deed, isOfUser(move) else { continue }
      let name = given.kind == .step ? "\(given.name) \(given.origin.map { "\($0)" } ?? "")" : move.inLine
      guard !names.contains(name) else { continue }
      let action = given.acting(seeing: state)
      var next = state
      guard (try? player.make(action, on: &next)) != nil, next.revision != state.revision else { continue }
      names.insert(name)
      let results = player.trail.taken.map { player.trail.branches[$0] }.filter { resultSteps.contains($0.step) }
      let isNew = count > 1 && reached.insert(player.reducer.fingerprint(of: next, seeing: relevance)).inserted
      taps.append(
        Tap(
          move: move, action: action, screen: player.reducer.front(of: state)?.screen ?? "nothing",
          created: CreatedNode.nodes(from: state.nextNode, to: next.nextNode), results: results.map { "\($0.flow) \($0.step)" },
          lock: lock(inFrontOf: next),
          next: isNew ? self.taps(in: next, catalogue.moves(in: next, of: player.reducer), count: count - 1) : []))
    }
    return taps
  }

  private func deliver(_ taps: [Tap], _ before: Delivery, _ faults: inout [Observation: Fault]) {
    for tap in taps {
      var delivery = before
      delivery.taps.append(tap.move)
      let transition: Transition
      do throws(Refusal) {
        transition = try run(tap, &delivery)
      } catch {
        let code = code(of: error, tap, delivery)
        delivery.refusals.append("\(tap.action.name) \(code)")
        for node in tap.created { delivery.ids[node] = .neverCreated }
        let observation = Observation(kind: .offline, subject: "\(tap.action.name) on \(tap.screen)", reason: "\(code) \(delivery.after)")
        if faults[observation] == nil {
          let isRemoved = error.code == .flowGone || delivery.hasRemoved(tap.action.renaming(delivery.ids).origin)
          faults[observation] = Fault(group(after: tap, delivery), remedy: isRemoved ? delivery.remedy : nil)
        }
        judgeLock(tap, delivery, &faults)
        continue
      }
      delivery.covers.note(from: before.state, to: delivery.state, isOwn: true)
      let made = CreatedNode.nodes(from: before.state.nextNode, to: delivery.state.nextNode)
      for (index, id) in tap.created.enumerated() { delivery.ids[id] = made.indices.contains(index) ? made[index] : .neverCreated }
      judge(tap, transition, from: before.state, delivery, &faults)
      if delivery.holds {
        delivery.noteWritten(since: before.state)
        release(after: tap, delivery, &faults)
      }
      deliver(tap.next, delivery, &faults)
    }
  }

  private func run(_ tap: Tap, _ delivery: inout Delivery) throws(Refusal) -> Transition {
    try player.make(tap.action.renaming(delivery.ids), under: delivery.covers.covers(since: delivery.seen), on: &delivery.state)
  }

  /// The code of a refusal. The service refuses an action on a node that an earlier action has not created.
  private func code(of refusal: Refusal, _ tap: Tap, _ delivery: Delivery) -> String {
    tap.action.renaming(delivery.ids).origin == .neverCreated ? Refusal.Code.dismissed.rawValue : refusal.code.rawValue
  }

  /// The delivery with the later actions of the queue that are refused too, because they need what the refused action would have created or uncovered.
  private func group(after refused: Tap, _ delivery: Delivery) -> Delivery {
    var group = delivery
    var next = refused.next
    search: while !next.isEmpty {
      for tap in next {
        var trial = group
        do throws(Refusal) {
          _ = try run(tap, &trial)
        } catch {
          let code = code(of: error, tap, group)
          guard code == Refusal.Code.dismissed.rawValue || error.code.isOfPlace else { continue }
          group.taps.append(tap.move)
          group.refusals.append("\(tap.action.name) \(code)")
          for node in tap.created { group.ids[node] = .neverCreated }
          next = tap.next
          continue search
        }
      }
      break
    }
    return group
  }

  /// Whether a move is an action that a client stores without a network: a step, a gesture, or the return to the app, after which a lock may be shown.
  private func isOfUser(_ move: Move) -> Bool {
    if case .action(.appState(.foreground)) = move.deed { return true }
    return move.maker == .user && !isOfService(move)
  }

  /// Whether a move is an entry that others or the service make: a step of an operator, a notification, a deadline, or the end of a request.
  private func isOfService(_ move: Move) -> Bool {
    switch move.deed {
    case .action(.step(let step, _)): catalogue.definition.steps[step.step]?.isOperators == true
    case .action(.notification), .advance, .end: true
    default: false
    }
  }
}

extension Refusal.Code {
  /// Whether an action is refused because of its place in the tree, so that an earlier action may be the reason.
  fileprivate var isOfPlace: Bool {
    switch self {
    case .hidden, .dismissed, .flowGone, .screenNotFound, .noStack, .noTabs, .noSwitch, .alreadyPresenting, .questionGone: true
    default: false
    }
  }
}

extension Action {
  /// The step, or the type of another action.
  fileprivate var name: String { if case .step(let step, _) = self { step.step } else { kind.word } }

  /// Returns the action with `from` set to the node that its user sees, unless the action names a node itself.
  fileprivate func acting(seeing state: State) -> Action {
    let node = origin ?? origin(seeing: state)
    return switch self {
    case .step(let step, _): .step(step, from: node)
    case .gesture(let gesture, _): .gesture(gesture, from: node)
    default: self
    }
  }
}
