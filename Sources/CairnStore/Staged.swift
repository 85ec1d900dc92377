import CairnCore

/// A session in the middle of a batch: what its commit will write. Thrown away when the commit fails. The writer's own.
final class Staged {
  /// The revision that the journal has; 0: none yet.
  let base: Int
  /// The effects that were committed.
  let effects: [Effect]
  private(set) var session: Session
  private(set) var entries: [JournalEntry] = []
  private(set) var secrets: [SecretSlot: SecretChange] = [:]
  /// The operator who asks for what is performed now, by name; nil: nobody, or the session's own client.
  var author: String?
  /// Deleted in this batch.
  var isGone = false
  /// The batch has it.
  var isKept = false

  /// A session as it was committed.
  init(_ session: Session) {
    base = session.state.revision
    effects = session.state.upcoming
    self.session = session
  }

  /// A session that starts now: its creation is entry 1.
  init(_ new: NewSession, now: Int, nonce: String) throws(Refusal) {
    let stamp = Stamp(time: now, nonce: nonce)
    var creation = new.creation
    creation.hasToken = new.accessToken != nil
    let (state, transition) = try new.definition.reducer.create(creation, stamp: stamp)
    base = 0
    effects = []
    session = Session(
      id: new.id, definition: new.definition, label: new.label, createdAt: now, updatedAt: now, secretHash: new.secretHash,
      state: state)
    let entry = Entry(revision: state.revision, stamp: stamp, cause: .creation(creation), author: new.author)
    entries = [JournalEntry(entry, from: StateFormat.empty, to: state)]
    if let token = new.accessToken { secrets[.token] = .keep(token) }
    born = transition
  }

  /// What the start did; nil for a session that was there already.
  private(set) var born: Transition?

  var isChanged: Bool { !entries.isEmpty }

  /// What commands have made of it so far; to go back to if a later one of the same request is refused.
  var progress: Progress {
    get { Progress(session: session, entries: entries, secrets: secrets) }
    set { (session, entries, secrets) = (newValue.session, newValue.entries, newValue.secrets) }
  }

  struct Progress {
    fileprivate var session: Session
    fileprivate var entries: [JournalEntry]
    fileprivate var secrets: [SecretSlot: SecretChange]
  }

  /// Runs a command; on a refusal the session is as it was.
  func perform(_ command: Command, now: Int, nonce: String) throws(Refusal) -> Performed {
    let reducer = session.definition.reducer
    if case .advance(let milliseconds) = command {
      var state = session.state
      let (entries, transition) = try reducer.advance(&state, by: milliseconds, nonce: nonce)
      adopt(state, entries: try differences(of: entries, reducer), transition: transition, secret: nil)
      return Performed(revision: state.revision, transition: transition)
    }
    return try perform(try reducer.seal(command, for: session.state), now: now, nonce: nonce)
  }

  /// Runs an action; on a refusal the session is as it was.
  func perform(_ sealed: Sealed, now: Int, nonce: String) throws(Refusal) -> Performed {
    let stamp = Stamp(time: session.state.manualTime ?? now, nonce: nonce)
    var state = session.state
    let transition = try session.definition.reducer.reduce(&state, sealed.action, stamp: stamp)
    if state.revision != session.state.revision {
      let entry = Entry(revision: state.revision, stamp: stamp, cause: .action(sealed.action))
      adopt(state, entries: [JournalEntry(entry, from: session.state, to: state)], transition: transition, secret: sealed.secret)
    }
    return Performed(revision: session.state.revision, transition: transition)
  }

  /// What each entry of a move of the clock changed: the reducer gives the state at its end alone.
  private func differences(of entries: [Entry], _ reducer: Reducer) throws(Refusal) -> [JournalEntry] {
    var state = session.state
    var found: [JournalEntry] = []
    for entry in entries {
      guard case .action(let action) = entry.cause else { continue }
      let before = state
      _ = try reducer.reduce(&state, action, stamp: entry.stamp)
      found.append(JournalEntry(entry, from: before, to: state))
    }
    return found
  }

  private func adopt(_ state: State, entries new: [JournalEntry], transition: Transition, secret: Secret?) {
    guard let last = new.last else { return }
    let before = session.state
    var new = new
    if let author { for index in new.indices { new[index].entry.author = author } }
    if secret != nil || !state.sharesRest(with: before) { keepSecrets(from: before, to: state, transition, secret) }
    session.state = state
    session.updatedAt = last.entry.stamp.time
    session.grow(by: new.reduce(0) { $0 + ($1.difference?.count ?? 0) })
    if entries.isEmpty { entries = new } else { entries += new }
  }

  private func keepSecrets(from before: State, to state: State, _ transition: Transition, _ secret: Secret?) {
    for effect in before.effects where effect.isExchange && !state.effects.contains(where: { $0.id == effect.id }) {
      secrets[.code(effect: effect.id)] = .forget
    }
    let hasToken = state.facts[FactDefinition.accessToken] != nil
    switch secret {
    case .token(let token) where hasToken: secrets[.token] = .keep(token)
    case .code(let code):
      if let exchange = transition.started.last(where: \.isExchange), state.effects.contains(where: { $0.id == exchange.id }) {
        secrets[.code(effect: exchange.id)] = .keep(code)
      }
    case .token, nil: break
    }
    if !hasToken && before.facts[FactDefinition.accessToken] != nil { secrets[.token] = .forget }
  }
}
