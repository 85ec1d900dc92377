// Steps that are sent: who gets them, and after what.
extension Run {
  /// Sends a step. `speaker`: the flow that speaks; nil: none does. `receiver`: who gets it if its template names nobody. It follows the
  /// turn that runs, in the order of its kind; nobody of the name that it is sent to: it is dropped.
  mutating func send(
    _ mold: StepMold, as kind: Turns.FollowUp, by speaker: NodeID?, emitter: Emitter?, otherwise receiver: NodeID, scope: Scope
  ) throws(Refusal) {
    let intent = try step(from: mold, in: scope)
    send(intent, to: mold.to, as: kind, by: speaker, emitter: emitter, otherwise: receiver)
  }

  /// The same of a step that is made already.
  mutating func send(
    _ intent: Intent, to destination: Operation.Destination?, as kind: Turns.FollowUp, by speaker: NodeID?, emitter: Emitter?,
    otherwise receiver: NodeID
  ) {
    let here = speaker ?? receiver
    let hearer: Turns.Item.Receiver
    switch destination {
    case nil: hearer = .flow(receiver)
    case .current: hearer = .flow(here)
    case .root: hearer = .flow(state.root)
    case .parent:
      guard let parent = parent(of: here) else { return drop(intent.step, "no-parent", flow: state.nodes.record(here)) }
      hearer = .flow(parent)
    case .flow(let name): hearer = .named(name, from: speaker)
    case .all: hearer = .all
    }
    turns.follow(kind, Turns.Item(intent: intent, receiver: hearer, emitter: emitter))
  }

  /// The living flow of a name: the one that speaks, those that it came from, outwards, then the one that is nearest to the front.
  func flow(named name: String, seenFrom speaker: NodeID?) -> NodeID? {
    guard state.nodes.isAlive(flow: name), let number = state.nodes.names.number(name) else { return nil }
    var here = speaker
    while let id = here {
      if let record = state.nodes.record(id), record.flow == number, record.isAliveFlow { return id }
      here = parent(of: id)
    }
    return state.frontFlow(number)
  }
}

extension State {
  /// The living flow with this number of a name that comes first from the root on: what lies over something before what is in it, what
  /// is in front before what it covers. One that has lost its place comes last.
  fileprivate func frontFlow(_ name: Int32) -> NodeID? {
    var open = [root]
    while let id = open.popLast() {
      guard let record = nodes.record(id) else { continue }
      if record.flow == name, record.isAliveFlow { return id }
      let front = front(of: record)
      let children = nodes.children(of: record).filter { $0 != front }
      // The one that is looked at first is the last here.
      open += record.kind == .stack ? children : children.reversed()
      if let front { open.append(front) }
      if let modal = record.presentedID { open.append(modal) }
    }
    return nodes.records.first { $0.flow == name && $0.isAliveFlow }?.nodeID
  }
}
