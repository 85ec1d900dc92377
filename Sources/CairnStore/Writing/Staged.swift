import CairnCore
import CairnCrypto
import CairnJournal

/// A session with the uncommitted changes of a batch, of a plan or of a prediction. Discarded if the commit fails. Used by one thread only: the writer's, or
/// a reader's for a plan or a prediction.
final class Staged {
  /// The version in the journal; `.none` for a new session.
  let version: SessionVersion
  /// The key for the hashes of entries.
  private let key: SipHash.Key
  /// Derives the code verifiers of logins; `nil` for a plan or a prediction, which is not stored.
  var proofs: ProofKeys?
  /// Reads the committed access token, which is copied for each message with `bearer`; `nil` for a plan or a prediction, which is not stored.
  var committed: (any SessionJournal)?
  /// The effects of the committed state.
  let effects: [Effect]
  private(set) var session: Session
  private(set) var entries: [JournalEntry] = []
  private(set) var secrets: [SecretSlot: SecretChange] = [:]
  /// The origin of the command that is being run.
  var origin = EntryOrigin()
  /// The client and the number of the numbered action that is being run; `nil` for any other command.
  var sender: Sender?
  /// The covers that are lifted off the tree while the numbered action runs, because its user had not seen them.
  var covers: [Cover] = []
  /// The time at which the user made the numbered action that is being run; `nil` if the client gave no time.
  var clientTime: ClientTime?
  /// The transitions of the new entries, for subscribers; `nil` if there are no subscribers, or if the transitions are unknown.
  private(set) var transitions: [Transition]?
  /// The responses to store with this batch.
  private(set) var answers: [KeyedAnswer] = []
  /// The new beginning of the session's journal; `nil` if it does not change.
  private(set) var beginning: PastState?
  /// Whether the session is deleted in this batch.
  var isGone = false
  /// Whether the deletion is an expiry.
  var isExpired = false
  /// Whether the batch contains the session.
  var isKept = false

  /// Stages a committed session, without changes. `hasSubscribers` is whether it may have subscribers.
  init(_ session: Session, hasSubscribers: Bool = false, _ key: SipHash.Key) {
    self.key = key
    transitions = hasSubscribers ? [] : nil
    version = session.version
    effects = session.state.upcoming
    self.session = session
  }

  /// Stages a new session. Its creation is entry 1.
  init(
    _ new: NewSession, _ creation: Creation, now: Int, nonce: String, meter: inout Meter, hasSubscribers: Bool, _ proofs: ProofKeys?,
    _ key: SipHash.Key
  ) throws(Refusal) {
    self.key = key
    self.proofs = proofs
    let stamp = Stamp(time: new.clockStart ?? now, nonce: Self.nonce(nonce, of: new.definition, proofs))
    var creation = creation
    creation.hasToken = new.accessToken != nil
    let (state, transition) = try new.definition.reducer.create(creation, stamp: stamp, meter: &meter)
    version = .none
    effects = []
    let identity = SessionIdentity(
      id: new.id, app: new.definition.definition.app, label: new.label, createdAt: now,
      secretHash: new.secretHash)
    let entry = Entry(
      revision: state.revision, stamp: stamp.recording(state, since: nil), cause: .creation(creation), author: new.origin.author,
      request: new.origin.request)
    let first = JournalEntry(
      entry, from: StateFormat.empty, to: state, definition: new.definition.hash, label: new.label, seal: (identity.hash(key), key))
    entries = [first]
    session = Session(identity, definition: new.definition, updatedAt: stamp.time, state: state, hash: first.hash)
    if let token = new.accessToken {
      secrets[.token] = .keep(token)
      for effect in state.effects where effect.keepsToken { secrets[.code(effect: effect.id)] = .keep(SessionToken(text: token).access) }
    }
    session.keys.begin()
    definitions = [new.definition]
    born = transition
    transitions = hasSubscribers ? [transition] : nil
    if transition.forgets { forget() }
  }

  /// Stages a new session that begins with a given state, or an imported session. Subscribers read its entries from the journal, unless it
  /// has only one entry.
  init(
    new session: Session, _ entries: [JournalEntry], beginning: PastState? = nil, stages: [SessionRecord] = [],
    _ secrets: [SecretSlot: String], of used: [PinnedDefinition], place: Int? = nil, _ key: SipHash.Key
  ) {
    self.key = key
    self.beginning = beginning
    self.stages = stages
    version = .none
    effects = []
    self.session = session
    self.entries = entries
    self.secrets = secrets.mapValues(SecretChange.keep)
    definitions = used
    session.keys.begin()
    transitions = entries.count == 1 && place == nil ? [Transition(outcome: .performed)] : nil
    self.place = place
  }

  /// The place in the journal at which earlier entries of a new session are staged; `nil` if no entries are staged.
  private(set) var place: Int?

  /// The session at some revisions of the new entries, for snapshots.
  private(set) var stages: [SessionRecord] = []

  /// The definitions that the new entries set.
  private(set) var definitions: [PinnedDefinition] = []

  /// The transition of the creation; `nil` for an existing session.
  private(set) var born: Transition?

  /// The revision in the journal; 0 for a new session.
  var base: Int { version.revision }

  var isChanged: Bool { !entries.isEmpty }

  /// Whether reads return a different result after the commit.
  var changesReads: Bool { isChanged || beginning != nil }

  /// The ids of the effects that this batch has started, and of those that it has ended.
  var effectChange: (begun: [Int], ended: [Int]) {
    let after = session.state.upcoming
    guard !(effects.isEmpty && after.isEmpty) else { return ([], []) }
    let (old, new) = (Set(effects.map(\.id)), Set(after.map(\.id)))
    return (new.subtracting(old).sorted(), old.subtracting(new).sorted())
  }

  /// Whether the batch must write something for the session. The refusal of a keyed request changes nothing, but its response is stored.
  var isWritten: Bool { changesReads || !answers.isEmpty }

  /// Forgets the history before a state, and the responses stored up to that state. `nil` means the newest state. Does nothing if that part
  /// is already forgotten.
  func forget(before past: PastState? = nil) {
    let past = past ?? PastState(session.state, definition: session.definition.hash, time: session.updatedAt, hash: session.hash)
    guard past.revision > session.beginning else { return }
    beginning = past
    session = session.beginning(at: past.revision)
    for index in answers.indices { answers[index].answer = answers[index].answer.forgotten(through: past.revision) }
  }

  /// Stores a response with this batch.
  func keep(_ answer: KeyedAnswer) {
    // The response to a request that forgets history is forgotten immediately, because it contains the request's events.
    answers.append(beginning.map { KeyedAnswer(answer.key, answer.answer.forgotten(through: $0.revision)) } ?? answer)
    if case .request(let key) = answer.key { session.keys.add(key) }
  }

  /// The newest response under a key in this batch; `nil` if the batch stores no response under the key.
  func answer(_ key: AnswerKey) -> KeptAnswer? { answers.last { $0.key == key }?.answer }

  /// The changes so far, which are restored if a later command of the same request is refused.
  var progress: Progress {
    get { Progress(session: session, entries: entries, secrets: secrets, transitions: transitions, answers: answers, beginning: beginning) }
    set {
      (session, entries, secrets, transitions) = (newValue.session, newValue.entries, newValue.secrets, newValue.transitions)
      (answers, beginning) = (newValue.answers, newValue.beginning)
    }
  }

  struct Progress {
    fileprivate var session: Session
    fileprivate var entries: [JournalEntry]
    fileprivate var secrets: [SecretSlot: SecretChange]
    fileprivate var transitions: [Transition]?
    fileprivate var answers: [KeyedAnswer]
    fileprivate var beginning: PastState?
  }

  /// Runs a command, and returns its result. Throws if the command is refused. A refusal leaves the session unchanged.
  func perform(_ command: Command, now: Int, nonce: String, meter: inout Meter) throws(Refusal) -> Performed {
    let reducer = session.definition.reducer
    if case .advance(let milliseconds) = command {
      var state = session.state
      var entries: [JournalEntry] = []
      var newTransitions: [Transition]? = transitions == nil ? nil : []
      let transition = try reducer.advance(&state, by: milliseconds, nonce: nonce, sender: sender, meter: &meter) { entry, before, after in
        entries.append(self.sealed(entry, from: before, to: after, behind: entries.last))
        // `advance` returns one transition for all entries together. Subscribers need one per entry, so each action is run again for them.
        var state = before
        guard newTransitions != nil, case .action(let action) = entry.cause else { return }
        // Unreported: no error is expected, because the same action was accepted just before.
        if let transition = try? reducer.reduce(&state, action, stamp: entry.stamp) { newTransitions?.append(transition) }
      }
      transitions? += newTransitions ?? []
      adopt(state, entries: entries, transition: transition, secret: nil)
      if transition.forgets { forget() }
      return Performed(revision: state.revision, transition: transition)
    }
    var sealed = try reducer.seal(command, for: session.state)
    if case .login(_, let state, _, _) = sealed.action, case .code(let code)? = sealed.secret, let proofs {
      sealed.secret = .code(PendingCode(code, state: state, proofs).text)
    }
    return try perform(sealed, now: now, nonce: nonce, meter: &meter)
  }

  /// Runs an action, and returns its result. Throws if the action is refused. A refusal leaves the session unchanged.
  func perform(_ sealed: Sealed, now: Int, nonce: String, meter: inout Meter) throws(Refusal) -> Performed {
    let stamp = stamp(now, nonce)
    var state = session.state
    let transition = try session.definition.reducer.reduce(&state, sealed.action, stamp: stamp, meter: &meter)
    let count = entries.count
    adopt(state, sealed.action, stamp, transition, sealed.secret)
    let difference = entries.count == count ? nil : entries.last?.difference
    if transition.forgets { forget() }
    return Performed(revision: session.state.revision, transition: transition, difference: difference)
  }

  /// Runs the end of an effect. If its consequences exceed a bound, the effect is ended without them. Returns the action that was run. A refusal
  /// leaves the session unchanged.
  func end(_ sealed: Sealed, now: Int, nonce: String, meter: inout Meter) throws(Refusal) -> Action {
    let stamp = stamp(now, nonce)
    var state = session.state
    let (action, transition) = try session.definition.reducer.end(&state, sealed.action, stamp: stamp, meter: &meter)
    adopt(state, action, stamp, transition, sealed.secret)
    if transition.forgets { forget() }
    return action
  }

  /// Returns the stamp of the next entry. The times of a session's entries never decrease, even if the machine's clock is set back.
  func stamp(_ now: Int, _ nonce: String) -> Stamp {
    Stamp(
      time: session.state.manualTime ?? max(now, session.updatedAt), nonce: Self.nonce(nonce, of: session.definition, proofs),
      sender: sender, covers: covers, clientTime: clientTime)
  }

  /// Returns the nonce, extended by a code challenge if the definition's logins use PKCE, because the action may open a login page.
  private static func nonce(_ nonce: String, of definition: PinnedDefinition, _ proofs: ProofKeys?) -> String {
    guard let proofs, definition.definition.oauth?.usesPKCE ?? false else { return nonce }
    return LoginNonce(nonce, challenge: ProofKeys.challenge(of: proofs.verifier(of: nonce))).text
  }

  private func adopt(_ state: State, _ action: Action, _ stamp: Stamp, _ transition: Transition, _ secret: Secret?) {
    guard state.revision != session.state.revision else { return }
    let entry = Entry(revision: state.revision, stamp: stamp.recording(state, since: session.state), cause: .action(action))
    transitions?.append(transition)
    adopt(state, entries: [sealed(entry, from: session.state, to: state, by: transition)], transition: transition, secret: secret)
  }

  /// Adds an entry that no action caused. `definition` is the definition of the new state.
  func adopt(_ state: State, of definition: PinnedDefinition, _ cause: Entry.Replacement, _ stamp: Stamp, _ transition: Transition) {
    var entry = Entry(revision: state.revision, stamp: stamp, cause: .replacement(cause))
    (entry.author, entry.request) = (origin.author, origin.request)
    let isNew = definition.hash != session.definition.hash
    if isNew { definitions.append(definition) }
    transitions?.append(transition)
    let new = JournalEntry(
      entry, from: session.state, to: state, definition: isNew ? definition.hash : nil, seal: (session.hash, key))
    adopt(state, entries: [new], of: definition, transition: transition, secret: nil)
  }

  /// The result of a request that changes nothing, with the reason, such as `duplicate`.
  func unchanged(_ reason: String) -> Posted {
    let transition = Transition(outcome: .unchanged, reason: reason)
    return Posted(session: session, performed: [Performed(revision: session.state.revision, transition: transition)])
  }

  /// Adds the origin and the hash to an entry. The entry follows `last` or, if `last` is `nil`, the session's newest entry.
  private func sealed(
    _ entry: Entry, from before: State, to after: State, by transition: Transition? = nil, behind last: JournalEntry? = nil
  ) -> JournalEntry {
    var entry = entry
    entry.author = origin.author
    entry.request = origin.request
    return JournalEntry(entry, from: before, to: after, by: transition, seal: (last?.hash ?? session.hash, key))
  }

  private func adopt(
    _ state: State, entries new: [JournalEntry], of definition: PinnedDefinition? = nil, transition: Transition, secret: Secret?
  ) {
    guard let last = new.last else { return }
    let before = session.state
    if secret != nil || !state.sharesRest(with: before) { keepSecrets(from: before, to: state, transition, secret) }
    let (old, next) = (session.definition.reducer, definition?.reducer)
    if old.hasSecretParams || next?.hasSecretParams == true {
      keepSecretParams(from: before, to: state, inContent: old.hasSecretContent || next?.hasSecretContent == true, secret)
    }
    session = session.at(
      state, definition: definition, updatedAt: last.entry.stamp.time, hash: last.hash,
      difference: new.reduce(0) { $0 + $1.difference.count })
    if entries.isEmpty { entries = new } else { entries += new }
  }

  private func keepSecrets(from before: State, to state: State, _ transition: Transition, _ secret: Secret?) {
    keepTokens(from: before, to: state, secret)
    for effect in before.effects where (effect.isLogin || effect.keepsToken) && !state.effects.contains(where: { $0.id == effect.id }) {
      secrets[.code(effect: effect.id)] = .forget
    }
    let hasToken = state.facts[FactDefinition.accessToken] != nil
    switch secret {
    case .token(let token) where hasToken: secrets[.token] = .keep(token)
    case .code(let code):
      if let exchange = transition.started.last(where: \.isLogin), state.effects.contains(where: { $0.id == exchange.id }) {
        secrets[.code(effect: exchange.id)] = .keep(code)
      }
    case .token, .params, nil: break
    }
    if !hasToken && before.facts[FactDefinition.accessToken] != nil { secrets[.token] = .forget }
  }

  /// Stores a copy of the access token for each new message that sends it, because a message sends the token that was current when it was submitted.
  private func keepTokens(from before: State, to state: State, _ secret: Secret?) {
    let new = state.effects.filter { effect in effect.keepsToken && !before.effects.contains { $0.id == effect.id } }
    guard !new.isEmpty else { return }
    let text: String?
    switch (secret, secrets[.token]) {
    case (.token(let token)?, _): text = token
    case (_, .keep(let token)?): text = token
    case (_, .forget?): text = nil
    // Unreported: the error is ignored here. If the token cannot be read, the message fails.
    case (_, nil): text = (try? committed?.secret(.token, of: session.id)) ?? nil
    }
    // Without a token, the stored copy is empty, and the message fails with `no-token`.
    for effect in new { secrets[.code(effect: effect.id)] = .keep(text.map { SessionToken(text: $0).access } ?? "") }
  }

  /// Stores the texts of the secrets to which the new state refers, and deletes those to which it no longer refers. `inContent` is whether content may
  /// refer to secrets.
  private func keepSecretParams(from before: State, to state: State, inContent: Bool, _ secret: Secret?) {
    let (present, gone) = state.secrets(since: before, inContent: inContent)
    for number in gone { secrets[.param(number)] = .forget }
    guard case .params(let texts)? = secret else { return }
    for (number, text) in texts where present.contains(number) { secrets[.param(number)] = .keep(text) }
  }
}
