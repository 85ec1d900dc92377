import CairnCore

/// A session in the middle of a batch: what its commit will write. Thrown away when the commit fails. The writer's own.
final class Staged {
  /// The revision that the journal has; 0: none yet.
  let base: Int
  /// The key of the entries' hashes.
  private let key: SipHash.Key
  /// The effects that were committed.
  let effects: [Effect]
  private(set) var session: Session
  private(set) var entries: [JournalEntry] = []
  private(set) var secrets: [SecretSlot: SecretChange] = [:]
  /// Of what is performed now.
  var origin = EntryOrigin()
  /// The transitions of its entries, for subscribers; `nil` if there were none at its creation, or if they are unknown.
  private(set) var told: [Transition]?
  /// The responses of this batch that are kept.
  private(set) var answers: [KeyedAnswer] = []
  /// Deleted in this batch.
  var isGone = false
  /// Whether the deletion is an expiry.
  var isExpired = false
  /// The batch has it.
  var isKept = false

  /// A session as it was committed. `isHeard`: whether it may have subscribers.
  init(_ session: Session, isHeard: Bool = false, _ key: SipHash.Key) {
    self.key = key
    told = isHeard ? [] : nil
    base = session.state.revision
    effects = session.state.upcoming
    self.session = session
  }

  /// A session that starts now: its creation is entry 1.
  init(_ new: NewSession, now: Int, nonce: String, meter: inout Meter, isHeard: Bool, _ key: SipHash.Key) throws(Refusal) {
    self.key = key
    let stamp = Stamp(time: now, nonce: nonce)
    var creation = new.creation
    creation.hasToken = new.accessToken != nil
    let (state, transition) = try new.definition.reducer.create(creation, stamp: stamp, meter: &meter)
    base = 0
    effects = []
    let birth = Birth(
      id: new.id, app: new.definition.definition.app, definition: new.definition.hash, label: new.label, createdAt: now,
      secretHash: new.secretHash)
    let entry = Entry(
      revision: state.revision, stamp: stamp, cause: .creation(creation), author: new.origin.author, request: new.origin.request)
    let first = JournalEntry(
      entry, from: StateFormat.empty, to: state, definition: new.definition.hash, label: new.label, seal: (birth.hash(key), key))
    entries = [first]
    session = Session(birth, definition: new.definition, updatedAt: now, state: state, hash: first.hash)
    if let token = new.accessToken { secrets[.token] = .keep(token) }
    session.keys.begin()
    born = transition
    told = isHeard ? [transition] : nil
  }

  /// The transition of the start; `nil` for an existing session.
  private(set) var born: Transition?

  var isChanged: Bool { !entries.isEmpty }

  /// There is something to write: a refusal under a key changes nothing, and is kept.
  var isWritten: Bool { isChanged || !answers.isEmpty }

  /// Keeps an answer.
  func keep(_ answer: KeyedAnswer) {
    answers.append(answer)
    if case .request(let key) = answer.key { session.keys.add(key) }
  }

  /// The newest answer under a key in this batch.
  func answer(_ key: AnswerKey) -> KeptAnswer? { answers.last { $0.key == key }?.answer }

  /// The results of the commands so far; restored if a later one of the same request is refused.
  var progress: Progress {
    get { Progress(session: session, entries: entries, secrets: secrets, told: told) }
    set { (session, entries, secrets, told) = (newValue.session, newValue.entries, newValue.secrets, newValue.told) }
  }

  struct Progress {
    fileprivate var session: Session
    fileprivate var entries: [JournalEntry]
    fileprivate var secrets: [SecretSlot: SecretChange]
    fileprivate var told: [Transition]?
  }

  /// Runs a command; on a refusal the session is as it was.
  func perform(_ command: Command, now: Int, nonce: String, meter: inout Meter) throws(Refusal) -> Performed {
    let reducer = session.definition.reducer
    if case .advance(let milliseconds) = command {
      var state = session.state
      var entries: [JournalEntry] = []
      var heard: [Transition]? = told == nil ? nil : []
      let transition = try reducer.advance(&state, by: milliseconds, nonce: nonce, meter: &meter) { entry, before, after in
        entries.append(self.sealed(entry, from: before, to: after, behind: entries.last))
        // The transition of one entry among several was not kept: for subscribers it is run once more.
        var state = before
        guard heard != nil, case .action(let action) = entry.cause else { return }
        if let transition = try? reducer.reduce(&state, action, stamp: entry.stamp) { heard?.append(transition) }
      }
      told? += heard ?? []
      adopt(state, entries: entries, transition: transition, secret: nil)
      return Performed(revision: state.revision, transition: transition)
    }
    return try perform(try reducer.seal(command, for: session.state), now: now, nonce: nonce, meter: &meter)
  }

  /// Runs an action; on a refusal the session is as it was.
  func perform(_ sealed: Sealed, now: Int, nonce: String, meter: inout Meter) throws(Refusal) -> Performed {
    let stamp = stamp(now, nonce)
    var state = session.state
    let transition = try session.definition.reducer.reduce(&state, sealed.action, stamp: stamp, meter: &meter)
    adopt(state, sealed.action, stamp, transition, sealed.secret)
    return Performed(revision: session.state.revision, transition: transition)
  }

  /// Runs the end of an effect, which may end it as one that was given up. Gives the action that was run; on a refusal the session is as
  /// it was.
  func end(_ sealed: Sealed, now: Int, nonce: String, meter: inout Meter) throws(Refusal) -> Action {
    let stamp = stamp(now, nonce)
    var state = session.state
    let (action, transition) = try session.definition.reducer.end(&state, sealed.action, stamp: stamp, meter: &meter)
    adopt(state, action, stamp, transition, sealed.secret)
    return action
  }

  /// The times of a session's entries never go back, whatever the machine's clock does.
  private func stamp(_ now: Int, _ nonce: String) -> Stamp {
    Stamp(time: session.state.manualTime ?? max(now, session.updatedAt), nonce: nonce)
  }

  private func adopt(_ state: State, _ action: Action, _ stamp: Stamp, _ transition: Transition, _ secret: Secret?) {
    guard state.revision != session.state.revision else { return }
    let entry = Entry(revision: state.revision, stamp: stamp, cause: .action(action))
    told?.append(transition)
    adopt(state, entries: [sealed(entry, from: session.state, to: state, by: transition)], transition: transition, secret: secret)
  }

  /// An entry with its origin and its hash, behind another one; `nil`: behind the newest.
  private func sealed(
    _ entry: Entry, from before: State, to after: State, by transition: Transition? = nil, behind last: JournalEntry? = nil
  ) -> JournalEntry {
    var entry = entry
    entry.author = origin.author
    entry.request = origin.request
    return JournalEntry(entry, from: before, to: after, by: transition, seal: (last?.hash ?? session.hash, key))
  }

  private func adopt(_ state: State, entries new: [JournalEntry], transition: Transition, secret: Secret?) {
    guard let last = new.last else { return }
    let before = session.state
    if secret != nil || !state.sharesRest(with: before) { keepSecrets(from: before, to: state, transition, secret) }
    session = session.at(
      state, updatedAt: last.entry.stamp.time, hash: last.hash, difference: new.reduce(0) { $0 + $1.difference.count })
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
