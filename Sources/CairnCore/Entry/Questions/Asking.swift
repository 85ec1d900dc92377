/// Asks the guards of nodes before a client's action removes or hides these nodes. The operations of handlers, timers, rules, loads and
/// operators never ask.
enum Asking {
  /// Performs a gesture, unless a guarded node must be asked first or the gesture must wait for a closed tab. Throws `guarded` if a node
  /// refuses the gesture. Returns the reason if the gesture was performed but changed nothing.
  static func perform(_ run: inout Run, _ aim: Question.Aim) throws(Refusal) -> NoChange? {
    if case .select(let tab, _) = aim, TabGates.isClosed(tab, run.state, run.evaluator) {
      try TabGates.wait(&run, aim, for: tab)
      return nil
    }
    if run.program.hasLeave, let record = Guards.asking(run.state, run.evaluator, aim) {
      // If another node refuses the gesture, no question is asked.
      try ask(&run, Guards.refusing(run.state, run.evaluator, aim) ?? record, before: aim)
      return nil
    }
    let unchanged = try carryOut(&run, aim, isBack: run.kind == .back)
    if case .select(_, let tabs) = aim { TabGates.endWish(&run, in: tabs) }
    return unchanged
  }

  /// Pops a stack to its first `count` children for a gesture, unless a guarded node must be asked first. Returns the reason if the pop was
  /// performed but changed nothing.
  static func keep(_ run: inout Run, _ count: Int, on stack: NodeID) throws(Refusal) -> NoChange? {
    let children = run.program.hasLeave || run.program.hasTabHistory ? run.state.nodes.children(of: stack) : []
    guard (1..<max(1, children.count)).contains(count) else { return StackOperations.keep(&run, count, on: stack) }
    return try perform(&run, .keep(top: children[count - 1], above: children[count]))
  }

  /// Handles a gesture that leaves the app. Asks a guarded node, if one must be asked first. Otherwise returns `at-root`, because the
  /// gesture does not change the tree.
  static func exit(_ run: inout Run) throws(Refusal) -> NoChange? {
    guard run.program.hasLeave, let record = Guards.asking(run.state, run.evaluator, .exit) else { return .atRoot }
    try ask(&run, record, before: .exit)
    return nil
  }

  /// The treatment of a link or of a tapped notification.
  enum Verdict {
    /// The link is followed.
    case goes
    /// A node is asked before the link is followed.
    case asked
    /// The link waits, because a node that refuses to be removed would cover the nodes that the link opens.
    case waits
    /// The link waits until the condition of a tab that it selects is true.
    case gated(NodeID)
  }

  /// Determines whether a followed link or a tapped notification must wait, because it would remove a node whose guard asks, or select a
  /// closed tab. The steps run on a copy of the state, whose work is counted. `url` is the URL of a link, and `nil` for a notification,
  /// which has only one step. `held` is the id of a link that is held already. With `isSeen`, the modals over the opened page are removed
  /// too.
  static func verdict(
    _ run: inout Run, _ steps: [ArrivedStep], opening url: String?, as held: LinkID? = nil, isNext: Bool = false, isSeen: Bool = true
  ) throws(Refusal) -> Verdict {
    guard run.program.hasLeave || run.program.hasGates else { return .goes }
    let guarded = Guards.inside(run.state, run.state.nodes.levels.reversed() + [run.state.root]).filter {
      Guards.asks($0, run.state, run.evaluator)
    }
    guard !guarded.isEmpty || TabGates.anyIsClosed(run),
      let trial = try trial(&run, steps, among: guarded, isSeen: isSeen)
    else { return .goes }
    if let tab = trial.gate { return .gated(tab) }
    if trial.isRefused { return .waits }
    guard let record = trial.asking else { return .goes }
    let link = held.map { run.state.linkBook.release($0)?.id ?? $0 } ?? run.state.linkBook.issue()
    let aim = url.map { Question.Aim.open(link, url: $0) } ?? .send(link, steps[0].template)
    try run.meter.write(State.itemSize + 2 * (aim.size))
    if held == nil {
      run.report.note(Event(.linkHeld, reason: Refusal.Code.guarded.rawValue, url: url, link: link))
      run.report.noteHeld(link)
    }
    try ask(&run, record, before: aim, isNext: isNext)
    return .asked
  }

  /// Runs the steps of a link or tapped notification on a copy of the state. `asking` is the first guarded node that they would remove and that must be asked.
  /// `gate` is the closed tab that they would select. `isRefused` is whether a node that refuses to be removed would cover the opened place. Returns `nil` if
  /// the steps would be refused.
  private static func trial(
    _ run: inout Run, _ steps: [ArrivedStep], among guarded: [NodeRecord], isSeen: Bool
  ) throws(Refusal) -> (asking: NodeRecord?, isRefused: Bool, gate: NodeID?)? {
    var trial = Run(run.program, state: run.state, stamp: run.stamp, meter: run.meter)
    trial.evaluator = run.evaluator
    trial.stopsAtGates = true
    defer { run.meter = trial.meter }
    // The dialog of the question will be closed before the steps run.
    if let dialog = run.state.question?.dialog, run.state.stands(dialog) { Removal.remove(&trial, dialog) }
    // A step of the link that runs `proceed` must not open the same link again.
    trial.state.questionBook.asked = nil
    do {
      try Links.arrive(&trial, steps[...], isSeen: isSeen)
      try trial.drainTurns()
    } catch  where !error.code.isBound {
      // If the steps themselves create the tab, they cannot wait for it.
      return trial.closedGate.flatMap { run.state.stands($0) ? (nil, false, $0) : nil }
    }
    if let tab = trial.closedGate { return run.state.stands(tab) ? (nil, false, tab) : nil }
    let covers = trial.linked?.covers(in: trial.state) ?? []
    let refusing = LinkedPlace.refusing(trial)
    let isRefused = covers.contains { LinkedPlace.holds(trial.state, $0, any: refusing) }
    _ = LinkedPlace.uncover(&trial)
    let asking = guarded.first { !trial.state.stands($0.nodeID) && run.state.nodes.details(of: $0).leave?.ask != nil }
    return (asking, isRefused, nil)
  }

  /// Makes an action the session's question, which replaces an earlier question, and sends the step of the node that asks. If that node has
  /// already asked, its question now concerns the new action. The step is sent again only if the user can no longer answer that question
  /// (`Questions.isShown`). Throws if the node refuses the action.
  private static func ask(_ run: inout Run, _ record: NodeRecord, before aim: Question.Aim, isNext: Bool = false) throws(Refusal) {
    guard let template = run.state.nodes.details(of: record).leave?.ask, let flow = record.handlingFlow else {
      throw Refusal(
        .guarded, "\(run.state.nodes.name(of: record)) (\(record.nodeID)) cannot be dismissed by a gesture; post a step that removes it")
    }
    run.report.noteGuarded(true)
    try ask(&run, record.nodeID, before: aim, isNext: isNext, sending: template, by: flow, Emitter(record, in: run.state))
  }

  /// Makes an action the session's question, and sends a step for it. `node` is the node that has stopped the action: a guarded node, which
  /// is also the `emitter`, or a gated tab.
  static func ask(
    _ run: inout Run, _ node: NodeID, before aim: Question.Aim, isNext: Bool = false, sending template: StepTemplate?, by flow: NodeID,
    _ emitter: Emitter?
  ) throws(Refusal) {
    let before = run.state.question
    if let replaced = before?.link, replaced != aim.link { Questions.dropLink(&run, before, "replaced") }
    let word = run.kind.map { "\(ActionRow[$0].word)" } ?? ""
    run.state.questionBook.ask(
      node, isGate: emitter == nil, before: aim, by: word, run.stamp.sender, isNext: isNext, firstNode: run.state.nextNode,
      firstEffect: run.state.nextEffect)
    guard let template, before?.node != node || !Questions.isShown(run, before) else { return }
    let first = run.state.nextNode
    try Sending.sendNow(
      &run, run.program.compile(template), by: flow, emitter: emitter, scope: emitter.map { Scope(emitter: $0) } ?? Scope(flow: flow))
    let dialog = run.state.nodes.modals.first { $0.number >= first }
    run.state.questionBook.asked?.dialog = dialog
  }

  /// Performs the action of the question that a node asks, in a separate turn after the turn of the handler with `proceed`. If other nodes must still
  /// be asked, the first of them is asked instead.
  static func proceed(_ run: inout Run, _ speaker: Emitter?, to id: QuestionID, of node: NodeID) throws(Refusal) {
    guard var question = run.state.question, question.id == id, question.node == node, !question.isGate else {
      return run.report.tell(.nothingAsked)
    }
    closeDialog(&run, speaker, of: question)
    question.agreed.append(question.node)
    run.state.questionBook.asked = question
    run.report.noteGuarded(false)
    try goOn(&run, question)
  }

  /// Performs the action of a question when all guards have been answered. If other nodes must still be asked, the first of them is asked instead.
  static func goOn(_ run: inout Run, _ question: Question) throws(Refusal) {
    if case .handle(let step, let flow, let from) = question.aim {
      Questions.close(&run, question, "answered")
      let emitter = from.flatMap { Emitter(of: $0, in: run.state) }
      return run.turns.enqueue(TurnQueue.Item(intent: run.intent(step), receiver: .flow(flow), emitter: emitter))
    }
    // The condition of the link may have become false since the question was asked.
    if let url = question.aim.url, Links.taken(run, url).taken == nil {
      Questions.end(&run, "gone")
      return run.report.tell(.nothingAsked)
    }
    if let steps = try steps(run, of: question.aim) {
      let url = question.aim.url
      if let url, try holdAgain(&run, url, question) { return }
      if let link = question.link {
        switch try verdict(&run, steps, opening: url, as: link, isNext: true) {
        case .goes: break
        case .asked: return
        case .waits where url != nil: return try holdAgain(&run, url ?? "", question, .guarded)
        case .gated(let tab) where url != nil: return try holdAgain(&run, url ?? "", question, .gated(tab))
        case .gated(let tab): return try TabGates.wait(&run, question.aim, for: tab)
        case .waits: break
        }
      }
      Questions.close(&run, question, "answered")
      run.report.note(Event(.linkResumed, url: url, link: question.link))
      return Links.follow(&run, steps)
    }
    if let record = Guards.asking(run.state, run.evaluator, question.aim) {
      return try ask(&run, record, before: question.aim, isNext: true)
    }
    let isLeft = question.aim == .exit || !Guards.going(run.state, question.aim).isEmpty
    Questions.close(&run, question, isLeft ? "answered" : "gone")
    guard isLeft else { return run.report.tell(.nothingAsked) }
    if question.aim == .exit { run.report.note(Event(.exit, sender: question.sender)) }
    run.report.explain(try carryOut(&run, question.aim, isBack: question.isBack))
  }

  /// Closes the dialog of a question: the outermost modal around the screen that sent the step with `proceed`. The modal must have been
  /// presented since the question was asked, and must not be the node that the question concerns. If no screen sent the step, for example
  /// after a load, closes the modal that the guard's step has presented.
  private static func closeDialog(_ run: inout Run, _ speaker: Emitter?, of question: Question) {
    let dialog: NodeID?
    if let speaker, speaker.record.isLeaf {
      let start = run.state.stands(speaker.id) ? speaker.id : speaker.record.parentID
      let around = start.map { run.state.ancestors(of: $0, acrossModals: true) } ?? []
      let asked = Set(([question.node] + question.nodes).flatMap { run.state.ancestors(of: $0, acrossModals: true) })
      dialog = around.last { $0.number >= question.firstNode && run.state.isPresented($0) && !asked.contains($0) }
    } else {
      dialog = question.dialog
    }
    guard let dialog, run.state.isPresented(dialog) else { return }
    Removal.leave(&run, dialog)
    run.finishTurn()
  }

  /// Holds a link again if its condition `requires` has become false before the user agreed. Returns whether the link is held again.
  private static func holdAgain(_ run: inout Run, _ url: String, _ question: Question) throws(Refusal) -> Bool {
    let match = try Links.match(run, url)
    guard let condition = match.link.requires, !run.holds(condition, in: Scope()) else { return false }
    try holdAgain(&run, url, question, .requires)
    return true
  }

  private static func holdAgain(_ run: inout Run, _ url: String, _ question: Question, _ why: HeldLinks.Reason) throws(Refusal) {
    Questions.close(&run, question, "answered")
    Questions.dropLink(&run, question, "replaced")
    try HeldLinks.hold(&run, url, try Links.match(run, url), why)
  }

  private static func steps(_ run: borrowing Run, of aim: Question.Aim) throws(Refusal) -> [ArrivedStep]? {
    switch aim {
    case .open(_, let url): try Links.match(run, url).steps
    case .send(_, let template): [try Links.step(run, of: template, given: [:])]
    case .keep, .remove, .select, .exit, .handle: nil
    }
  }

  /// Performs the gesture that an aim describes. `isBack` is whether the user posted `back`. Returns the reason if the gesture has changed
  /// nothing, such as `nothing-asked` if its nodes no longer exist.
  private static func carryOut(_ run: inout Run, _ aim: Question.Aim, isBack: Bool) throws(Refusal) -> NoChange? {
    switch aim {
    case .keep(let top, let above):
      guard let (stack, count) = Guards.kept(run.state, top, above) else { return .nothingAsked }
      let tab = isBack ? TabHistory.tab(run, leftWith: above) : nil
      let unchanged = StackOperations.keep(&run, count, on: stack)
      if let tab { TabsOperations.select(&run, tab, isBack: true) }
      return unchanged
    case .remove(let node):
      Removal.leave(&run, node)
      return nil
    case .select(let tab, let tabs):
      guard run.state.nodes.record(tab)?.parentID == tabs else { return .nothingAsked }
      return TabsOperations.select(&run, tab, isBack: isBack)
    case .exit, .open, .send, .handle: return nil
    }
  }
}
