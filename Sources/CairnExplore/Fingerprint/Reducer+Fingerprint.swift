import CairnCore

extension Reducer {
  /// Returns the fingerprint of a state. Nodes are numbered in tree order. The revision, the counters and the clock are omitted. Of the
  /// effects' deadlines, only the order is included. Facts, params and content are reduced to the parts that the definition reads. The
  /// state must have been created by this reducer.
  func fingerprint(of state: State, seeing relevance: Relevance) -> StateFingerprint {
    var walk = FingerprintWalk(self, state, relevance)
    walk.run()
    return walk.writer.fingerprint
  }
}

/// Writes the distinguishing parts of a state to a fingerprint.
private struct FingerprintWalk {
  let reducer: Reducer
  let state: State
  let relevance: Relevance
  var writer: StateFingerprintWriter
  /// The ids of the nodes, in tree order.
  var order: [Int32] = []

  init(_ reducer: Reducer, _ state: State, _ relevance: Relevance) {
    self.reducer = reducer
    self.state = state
    self.relevance = relevance
    writer = StateFingerprintWriter(relevance)
  }

  mutating func run() {
    let outlines = state.outlines
    order = outlines.map(\.number)
    for outline in outlines { write(outline) }
    writeFacts()
    writeEffects()
    writeListeners()
  }

  /// The position of a node in the tree, from 1; 0 if the number is 0 or the node is not in the tree.
  private func place(of number: Int32) -> Int { number == 0 ? 0 : (order.firstIndex(of: number) ?? -1) + 1 }

  private func place(of node: NodeID?) -> Int { place(of: node.map { Int32(truncatingIfNeeded: $0.number) } ?? 0) }

  private mutating func write(_ outline: NodeOutline) {
    writer.write(outline.names)
    writer.write(outline.traits)
    writer.write(place(of: outline.owner) << 32 | place(of: outline.on) << 1 | (outline.presents ? 1 : 0))
    writer.write(outline.childCount)
    guard let details = outline.details else { return }
    if let names = relevance.params[details.name] { for name in names { writer.write(details.params[name]) } }
    for name in relevance.flowFacts { writer.write(details.facts[name]) }
    if let content = details.content {
      if relevance.seesStatus { writer.write(content.status.rawValue) }
      if !relevance.content.isEmpty { writer.write(content.value, seen: relevance.content) }
    }
    writer.write(details.steps.removed)
    writer.write(details.steps.seen)
    writer.write(details.steps.unseen)
    if let leave = details.leave { writer.write(leave.ask) }
    if let slot = details.slot { writer.write(slot) }
    for tab in details.visited { writer.write(place(of: tab)) }
    writer.write(details.resultReceiver != nil)
    if let resultReceiver = details.resultReceiver { write(resultReceiver) }
    writer.write(details.isAuthorizing)
  }

  private mutating func write(_ resultReceiver: ResultReceiver) {
    writer.write(place(of: resultReceiver.node))
    writer.write(resultReceiver.then)
    writer.write(resultReceiver.otherwise)
  }

  private mutating func writeFacts() {
    for name in relevance.facts {
      if name == FactDefinition.away, case .integer(let time)? = state.facts[name] {
        writer.write(relevance.marks(passedAt: time))
      } else {
        writer.write(state.facts[name])
      }
    }
    let moments = relevance.moments.map { $0.outlook(in: state, at: state.manualTime ?? 0, of: reducer) }
    for moment in moments {
      writer.write(moment.holds)
      // Of the moments to come, only their order matters.
      writer.write(moment.next.map { next in 1 + moments.count { $0.next.map { $0 < next } ?? false } } ?? 0)
    }
    if relevance.seesLogin { writer.write(state.login.status.rawValue) }
    for link in state.pendingLinks { write(link) }
    for held in state.heldActions {
      writer.write(34 as UInt64)
      writer.write("\(held.action)")
      writer.write(UInt64(held.clients.count))
    }
    if let question = state.question { write(question) }
    for sighting in state.sightings {
      writer.write(place(of: sighting.node) << 2 | (sighting.isSeen ? 2 : 0) | (sighting.wasTold ? 1 : 0))
    }
    for ended in state.endedMessages {
      writer.write(33 as UInt64)
      writer.write(ended.key)
      writer.write(ended.digest)
      writer.write(ended.isDone)
      writer.write(ended.result ?? .null)
    }
    writer.write(state.leftForeground.map { 1 + relevance.marks(passedAt: (state.manualTime ?? 0) - $0) } ?? 0)
    writer.write(state.refusedToken == state.tokenWrites)
  }

  /// Writes the question: the waiting action, the nodes that were asked, and whether a node or an effect exists that was created after the
  /// question was asked.
  private mutating func write(_ question: Question) {
    writer.write(question.isGate ? 26 : 27 as UInt64)
    writer.write(place(of: question.node))
    writer.write(place(of: question.dialog))
    for node in question.agreed { writer.write(place(of: node)) }
    writer.write(state.nodes.values.contains { $0.id.number >= question.firstNode })
    writer.write(state.effects.contains { $0.id >= question.firstEffect })
    switch question.aim {
    case .keep(let top, let above):
      writer.write(28 as UInt64)
      writer.write(place(of: top) << 16 | place(of: above))
    case .remove(let node):
      writer.write(29 as UInt64)
      writer.write(place(of: node))
    case .select(let tab, let tabs):
      writer.write(30 as UInt64)
      writer.write(place(of: tab) << 16 | place(of: tabs))
    case .open(_, let url): write(PendingLink(url: url, until: 0))
    case .send(_, let step): writer.write(step)
    case .handle(let step, let flow, let from):
      writer.write(step.step)
      writer.write(.object(step.params))
      writer.write(place(of: flow) << 16 | place(of: from))
    case .exit: writer.write(31 as UInt64)
    }
  }

  /// Writes the link and its captures, or the URL if the link is not certain. Values that no condition names are interchangeable.
  private mutating func write(_ held: PendingLink) {
    // With conditions of links, the link that matches the URL depends on the state.
    guard reducer.definition.links.allSatisfy({ $0.when == nil }), let taken = reducer.definition.captures(of: held.url) else {
      return writer.write(held.url)
    }
    writer.write(taken.link)
    for (name, text) in taken.captures.sortedByKey {
      writer.write(name)
      if case .sealed(let secret) = Value(capture: text) {
        writer.write(Value.sealed(secret))
        continue
      }
      let number = ParameterDefinition(.integer).read(text)
      writer.write(relevance.fresh.contains(number) ? number : .string(text))
    }
  }

  private mutating func writeEffects() {
    let scheduled = state.scheduled
    let marks = reducer.marks(of: state, seeing: relevance)
    guard !scheduled.isEmpty || !marks.isEmpty else { return }
    let now = state.manualTime ?? 0
    let due = scheduled.map { (effect: $0, time: $0.due(after: now)) }.sorted {
      $0.time == $1.time ? Effect.comes($0.effect.id, before: $1.effect.id) : $0.time < $1.time
    }
    var last = Int.min
    var mark = marks.startIndex
    for (effect, time) in due {
      // Marks each time until this deadline at which a condition on `away` or on the time may change its result.
      while mark < marks.endIndex, marks[mark] <= time {
        writer.write(marks[mark] == time ? 25 as UInt64 : 24)
        mark += 1
      }
      writer.write(time > last)
      last = time
      writer.write(place(of: effect.owner) << 1 | (effect.whileVisible ? 1 : 0))
      writer.write((effect.isIdle ? 1 : 0) | (effect.isWaiting(in: state) ? 2 : 0) | (effect.hasWaited ? 4 : 0))
      writer.write(effect.covered.rawValue)
      if let to = effect.to { writer.write(to.rawValue) }
      // A negative id belongs to the expiry of a held link. Writes the index of the link.
      if effect.id < 0 { writer.write(state.pendingLinks.firstIndex { Effect.end(of: $0.id) == effect.id } ?? -1) }
      write(effect.work)
    }
  }

  private mutating func write(_ work: Effect.Work) {
    switch work {
    case .timer(let name, let step, _, let period, _):
      writer.write(20 as UInt64)
      if let name { writer.write(name) }
      writer.write(step.step)
      writer.write(step.params)
      writer.write(period ?? 0)
    case .value(let value, _, let then, let otherwise):
      writer.write(21 as UInt64)
      writer.write(value)
      writer.write(then)
      writer.write(otherwise)
    case .request(_, let bearer, _, let then, let otherwise, let terms):
      // The URL, headers and body are omitted, because any response is possible.
      writer.write(22 as UInt64)
      writer.write(bearer)
      writer.write(then)
      writer.write(otherwise)
      if let polling = terms?.polling { writer.write(polling.until.map { String(describing: $0) } ?? "") }
    case .message(let message):
      writer.write(32 as UInt64)
      writer.write(message.key)
      writer.write(message.digest)
      writer.write(place(of: message.node))
      for flow in message.flows { writer.write(place(of: flow)) }
      writer.write(message.then)
      writer.write(message.otherwise)
    case .exchange(let grant): writer.write(grant == .code ? 23 : 26 as UInt64)
    }
  }

  /// Writes the removed screens whose steps are still handled. Screens with the same name and flow count as one.
  private mutating func writeListeners() {
    guard !state.listeners.isEmpty else { return }
    let heard = Set(state.listeners.map { "\($0.screen) \(place(of: $0.flow))" })
    for listener in heard.sorted() { writer.write(listener) }
  }
}
