/// A session in a client: the confirmed state, which only the service computes, and this client's actions that are not confirmed yet. The shown state is the
/// confirmed state with these actions applied. Not thread-safe: a replica must be used on one thread.
public struct Replica: Sendable {
  /// The state at the newest known revision, without the values that clients must not read.
  public private(set) var confirmed: State
  /// The state to show: the confirmed state with the pending actions applied.
  public private(set) var shown: State
  private var pending: [PendingAction] = []
  /// The covers over the pages on which the user performed the pending actions.
  private var covers = CoverBook()
  private(set) var reducer: Reducer
  private var withheld: WithheldValues

  /// The revision of the confirmed state.
  public var revision: Int { confirmed.revision }
  /// The definition by which actions are predicted.
  public var definition: Definition { reducer.definition }
  /// The numbers of the actions that are not confirmed, in order.
  public var waiting: [WideInt] { pending.map { $0.number } }
  public var tree: Tree { reducer.tree(of: shown) }
  /// Whether steps wait for the result of an earlier action that cannot be predicted.
  public var isHeldUp: Bool { pending.contains { $0.holdsUp } }

  /// Creates a replica of a session from its state in `ReplicaFormat`, which does not contain the facts that the definition hides. Throws
  /// if the state cannot be read.
  public init(_ definition: Definition, state: [UInt8]) throws(UnreadableFormat) {
    withheld = WithheldValues(facts: Set(definition.facts.filter { !$0.value.isShown }.keys))
    reducer = Reducer(definition, withheld)
    confirmed = try StateFormat.state(state, version: ReplicaFormat.version, over: Self.start(reducer))
    shown = confirmed
  }

  /// Creates a replica of a session that the service has not created yet. Its facts have their defaults, and it has no environment. `time`
  /// is in milliseconds since 1970. Throws if the start of the app depends on data that only the service has.
  public init(_ definition: Definition, startingAt time: WideInt) throws(UnreadableFormat) {
    withheld = WithheldValues(facts: Set(definition.facts.filter { !$0.value.isShown }.keys))
    reducer = Reducer(definition, withheld)
    do throws(Refusal) {
      confirmed = try reducer.create(Creation(), stamp: Stamp(time: time, nonce: "")).state
    } catch {
      throw UnreadableFormat(reason: "the app's initial state cannot be computed: \(error.detail)")
    }
    guard !withheld.wasRead else { throw UnreadableFormat(reason: "the app's initial state depends on values that only the service has") }
    shown = confirmed
  }

  private static func start(_ reducer: Reducer) -> State {
    var start = StateFormat.empty
    start.nodes = reducer.emptyTable
    return start
  }

  /// Writes the covers over the pages on which the user performed the pending actions. A client stores them with the state and the pending actions,
  /// because the state does not record which entry created a node.
  public func writeCovers(to writer: inout JSONWriter) { covers.write(to: &writer) }

  /// Sets the covers that `writeCovers` has written in another replica of the session. Must be called before the pending actions run again.
  public mutating func setCovers(_ bytes: [UInt8]) throws(UnreadableFormat) {
    covers = try JSONElement.reading(bytes) { element throws(UnreadableFormat) in try CoverBook(reading: element) }
  }

  // MARK: this client's actions

  /// Runs an action on the shown state, and keeps it until the service has confirmed or dropped it. `time` is in milliseconds since 1970.
  /// `number` must be higher than that of the previous action. `seen` is the confirmed revision that was shown when the user acted; `nil`
  /// for the current one.
  public mutating func predict(_ action: Action, number: WideInt, at time: WideInt, seen: Int? = nil) -> ReplicaPrediction {
    var pending = PendingAction(number: number, action: action, time: time, seen: seen ?? confirmed.revision)
    let result = run(&pending, on: &shown, isHeldUp: isHeldUp)
    self.pending.append(pending)
    return result
  }

  /// Runs the waiting steps on the shown state, although the service has not yet decided on the unpredictable action for which they wait.
  public mutating func proceed() -> ReplicaUpdate {
    for place in pending.indices where pending[place].holdsUp { pending[place].isPassed = true }
    var renaming = NodeRenaming()
    return rebase(&renaming)
  }

  /// Runs an action on a state. `isHeldUp` is whether steps wait for an earlier action that is unpredictable.
  private func run(_ pending: inout PendingAction, on state: inout State, isHeldUp: Bool) -> ReplicaPrediction {
    pending.isShown = false
    pending.holdsUp = false
    pending.created = []
    if isHeldUp, case .step = pending.action, !hasSecret(pending.action) { return .waiting }
    let prediction = run(&pending, on: &state)
    pending.holdsUp = prediction == .unpredictable && !pending.isPassed
    return prediction
  }

  /// Whether an action has a secret param that is not sealed for the service. Such an action is neither predicted nor stored for later, because
  /// only the service stores secrets.
  public func hasSecret(_ action: Action) -> Bool {
    do throws(Refusal) {
      return try SecretParams.seal(action, by: reducer.program, for: shown).secret != nil
    } catch {
      // The action has too many secrets, or a secret that is too long.
      return true
    }
  }

  private func run(_ pending: inout PendingAction, on state: inout State) -> ReplicaPrediction {
    guard pending.action.isPredictable, !isOfUnknownStep(pending.action) else { return .unpredictable }
    var next = state
    withheld.begin()
    let time = state.manualTime == nil ? ClientTime(clock: pending.time, happened: pending.time) : nil
    let stamp = Stamp(time: state.manualTime ?? pending.time, nonce: "", covers: covers.covers(since: pending.seen), clientTime: time)
    do throws(Refusal) {
      let sealed = try SecretParams.seal(pending.action, by: reducer.program, for: next, takesSealed: true)
      guard sealed.secret == nil else { return .unpredictable }
      let transition = try reducer.reduce(&next, sealed.action, stamp: stamp)
      if withheld.wasRead { return .unpredictable }
      guard transition.outcome != .unchanged else { return .unchanged(reason: transition.reason ?? "") }
      pending.isShown = true
      pending.created = CreatedNode.nodes(from: state.nextNode, to: next.nextNode)
      state = next
      #if CLIENT_ENGINE
        return .shown(changes: [], created: pending.created, exits: transition.tells(.exit))
      #else
        return .shown(changes: transition.changes, created: pending.created, exits: transition.tells(.exit))
      #endif
    } catch {
      return withheld.wasRead ? .unpredictable : .refused(error)
    }
  }

  /// Whether an action is a tick of a confirmed timer whose step has params. Clients do not have the values of these params.
  private func isOfUnknownStep(_ action: Action) -> Bool {
    guard case .tick(let node, let send, _) = action, let step = reducer.program.step(send) else { return false }
    return !reducer.program.steps[step].params.definitions.isEmpty && confirmed.effects.contains { $0.owner == node && $0.sends(send) }
  }

  /// The action that created a node, and the node's index among the nodes that this action created; `nil` for a confirmed node. With both, a post can
  /// name a node that the service has not created yet.
  public func origin(of node: NodeID) -> (number: WideInt, place: Int)? {
    for action in pending {
      if let place = action.created.firstIndex(of: node) { return (action.number, place) }
    }
    return nil
  }

  // MARK: the service's entries

  /// Applies the service's reports in order, and then runs the pending actions again. Throws if a difference does not follow the confirmed
  /// revision; a new state is then required.
  public mutating func take(_ reports: [ServiceReport]) throws(UnreadableFormat) -> ReplicaUpdate {
    var renaming = NodeRenaming()
    for report in reports {
      switch report {
      case .entry(let difference, let number): try apply(difference, number: number, &renaming)
      case .dropped(let number): forget(&renaming) { $0 == number }
      }
    }
    return rebase(&renaming)
  }

  /// Drops an action that the service has refused, or that changed nothing in the service, and runs the other actions again.
  public mutating func drop(_ number: WideInt) -> ReplicaUpdate {
    var renaming = NodeRenaming()
    forget(&renaming) { $0 == number }
    return rebase(&renaming)
  }

  private mutating func apply(_ difference: [UInt8], number: WideInt?, _ renaming: inout NodeRenaming) throws(UnreadableFormat) {
    var next = confirmed
    try StateFormat.apply(difference, to: &next)
    guard next.revision == confirmed.revision + 1 else {
      throw UnreadableFormat(reason: "the entry leads to revision \(next.revision), but the next one must be \(confirmed.revision + 1)")
    }
    let created = CreatedNode.nodes(from: confirmed.nextNode, to: next.nextNode)
    covers.note(from: confirmed, to: next, isOwn: number != nil)
    confirmed = next
    guard let number else { return }
    if let place = pending.firstIndex(where: { $0.number == number }) {
      renaming.add(pending[place].created, created)
      pending.remove(at: place)
    }
    // The service runs a client's actions in order. Earlier actions had no effect; otherwise their entries would have arrived.
    forget(&renaming) { $0 < number }
  }

  /// Replaces the confirmed state after a gap. The new state contains the results of the actions up to `last`, which are dropped. Throws if the new state
  /// cannot be read.
  public mutating func adopt(_ state: [UInt8], through last: WideInt) throws(UnreadableFormat) -> ReplicaUpdate {
    let next = try StateFormat.state(state, version: ReplicaFormat.version, over: Self.start(reducer))
    var renaming = NodeRenaming()
    let predicted = pending.filter { $0.number <= last }.flatMap { $0.created }
    renaming.match(predicted, of: shown, from: confirmed.nextNode, in: next)
    renaming.replace(in: confirmed, by: next)
    covers.note(from: confirmed, to: next, isOwn: false, except: predicted.compactMap { renaming.named[$0] })
    confirmed = next
    pending.removeAll { $0.number <= last }
    return rebase(&renaming)
  }

  private mutating func forget(_ renaming: inout NodeRenaming, _ isMeant: (WideInt) -> Bool) {
    for action in pending where isMeant(action.number) { renaming.add(action.created, []) }
    pending.removeAll { isMeant($0.number) }
  }

  /// Runs the pending actions on the confirmed state.
  private mutating func rebase(_ renaming: inout NodeRenaming) -> ReplicaUpdate {
    let before = shown
    covers.forget(through: pending.reduce(confirmed.revision) { min($0, $1.seen) })
    var state = confirmed
    var isHeldUp = false
    for place in pending.indices {
      let created = pending[place].created
      pending[place].action = pending[place].action.renaming(renaming.named)
      _ = run(&pending[place], on: &state, isHeldUp: isHeldUp)
      isHeldUp = isHeldUp || pending[place].holdsUp
      renaming.add(created, pending[place].created)
    }
    shown = state
    var update = ReplicaUpdate()
    update.renamed = renaming.complete(from: before, to: shown)
    #if !CLIENT_ENGINE
      let base = update.renamed.isEmpty ? before : before.renaming(update.renamed)
      update.changes = reducer.changes(from: base, to: shown)
    #endif
    return update
  }
}

extension Reducer {
  /// A reducer that records reads of withheld values.
  init(_ definition: Definition, _ withheld: WithheldValues) { program = Program(definition, withheld: withheld) }
}
