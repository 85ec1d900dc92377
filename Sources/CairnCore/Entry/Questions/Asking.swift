/// Asks the guards of nodes before a client's action removes or hides them. The operations of handlers, timers, rules, loads and operators never ask.
enum Asking {
  /// Performs what a gesture means, unless a guarded node must be asked first. Throws if such a node refuses the gesture.
  static func perform(_ run: inout Run, _ aim: Question.Aim) throws(Refusal) -> NoChange? {
    if run.program.hasLeave, let record = Guards.asking(run.state, run.evaluator, aim) {
      try ask(&run, record, before: aim)
      return nil
    }
    return try carryOut(&run, aim)
  }

  /// Pops a stack to its first `count` children for a gesture, unless a guarded node must be asked first.
  static func keep(_ run: inout Run, _ count: Int, on stack: NodeID) throws(Refusal) -> NoChange? {
    let children = run.program.hasLeave ? run.state.nodes.children(of: stack) : []
    guard (1..<max(1, children.count)).contains(count) else { return StackOperations.keep(&run, count, on: stack) }
    return try perform(&run, .keep(top: children[count - 1], above: children[count]))
  }

  /// Selects a tab for a gesture, unless a guarded node must be asked first.
  static func select(_ run: inout Run, _ index: Int, in tabs: NodeID) throws(Refusal) -> NoChange? {
    guard run.program.hasLeave else { return TabsOperations.select(&run, index, in: tabs) }
    return try perform(&run, .select(tab: run.state.nodes.children(of: tabs)[index], in: tabs))
  }

  /// Leaves the app by a gesture, which changes nothing, unless a guarded node must be asked first.
  static func exit(_ run: inout Run) throws(Refusal) -> NoChange? {
    guard run.program.hasLeave, let record = Guards.asking(run.state, run.evaluator, .exit) else { return .atRoot }
    try ask(&run, record, before: .exit)
    return nil
  }

  /// What happens to a link or to a tapped notification.
  enum Verdict {
    /// It is followed.
    case goes
    /// A node is asked first.
    case asked
    /// It waits until a node that refuses to be removed no longer covers what it opens.
    case waits
  }

  /// Asks before a followed link or a tapped notification if it would remove a node that must be asked. The steps run on a copy, whose work counts. `url` is that
  /// of the link, and `nil` for a notification, which has one step; `held` is the id of a link that is held. With `isSeen`, what lies over the opened page is removed too.
  static func verdict(
    _ run: inout Run, _ steps: [ArrivedStep], opening url: String?, as held: LinkID? = nil, isNext: Bool = false, isSeen: Bool = true
  ) throws(Refusal) -> Verdict {
    guard run.program.hasLeave else { return .goes }
    let guarded = Guards.inside(run.state, run.state.nodes.levels.reversed() + [run.state.root]).filter {
      Guards.asks($0, run.state, run.evaluator)
    }
    guard !guarded.isEmpty, let trial = try trial(&run, steps, among: guarded, isSeen: isSeen) else { return .goes }
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

  /// The first guarded node that a link or tapped notification would remove and that must be asked. `isRefused` is whether a node that refuses to be removed
  /// would cover the opened place. `nil` if the steps would be refused.
  private static func trial(
    _ run: inout Run, _ steps: [ArrivedStep], among guarded: [NodeRecord], isSeen: Bool
  ) throws(Refusal) -> (asking: NodeRecord?, isRefused: Bool)? {
    var trial = Run(run.program, state: run.state, stamp: run.stamp, meter: run.meter)
    // The answer will close the dialog of the question before the steps run.
    if let dialog = run.state.question?.dialog, run.state.stands(dialog) { Removal.remove(&trial, dialog) }
    // A step of the link that says `proceed` must not try the link again.
    trial.state.questionBook.asked = nil
    do {
      try Links.arrive(&trial, steps[...], isSeen: isSeen)
      try trial.drainTurns()
    } catch  where !error.code.isBound {
      return nil
    }
    let covers = trial.linked?.covers(in: trial.state) ?? []
    let refusing = LinkedPlace.refusing(trial)
    let isRefused = covers.contains { LinkedPlace.holds(trial.state, $0, any: refusing) }
    _ = LinkedPlace.uncover(&trial)
    run.meter = trial.meter
    let asking = guarded.first { !trial.state.stands($0.nodeID) && run.state.nodes.details(of: $0).leave?.ask != nil }
    return (asking, isRefused)
  }

  /// Makes an action the session's question, in place of an earlier one, and sends the step of the node that asks. If that node has asked already, the question
  /// on the screen stands for the new action; without a trace on the screen the step is sent again. Throws if the node refuses the action.
  private static func ask(_ run: inout Run, _ record: NodeRecord, before aim: Question.Aim, isNext: Bool = false) throws(Refusal) {
    guard let template = run.state.nodes.details(of: record).leave?.ask, let flow = record.handlingFlow else {
      throw Refusal(
        .guarded, "\(run.state.nodes.name(of: record)) (\(record.nodeID)) cannot be dismissed by a gesture; post a step that removes it")
    }
    let before = run.state.question
    if let replaced = before?.link, replaced != aim.link { Questions.dropLink(&run, before, "replaced") }
    run.state.questionBook.ask(
      record.nodeID, before: aim, by: run.actionWord, run.stamp.sender, isNext: isNext, firstNode: run.state.nextNode,
      firstEffect: run.state.nextEffect)
    run.report.noteGuarded(true)
    guard before?.node != record.nodeID || !Questions.hasTrace(run, of: before) else { return }
    let emitter = Emitter(record, in: run.state)
    let first = run.state.nextNode
    try Sending.sendNow(&run, run.program.compile(template), by: flow, emitter: emitter, scope: Scope(emitter: emitter))
    let dialog = run.state.nodes.modals.first { $0.number >= first }
    run.state.questionBook.asked?.dialog = dialog
  }

  /// Performs the action of the question that a node asks, as a turn of its own after the turn of the handler that said `proceed`. If further nodes must be asked,
  /// the first of them is asked instead.
  static func proceed(_ run: inout Run, _ speaker: Emitter?, to id: QuestionID, of node: NodeID) throws(Refusal) {
    guard var question = run.state.question, question.id == id, question.node == node else { return run.report.tell(.nothingAsked) }
    closeDialog(&run, speaker, of: question)
    question.agreed.append(question.node)
    run.state.questionBook.asked = question
    run.report.noteGuarded(false)
    if let steps = try steps(run, of: question.aim) {
      let url = question.aim.url
      if let url, try holdAgain(&run, url, question) { return }
      if let link = question.link {
        switch try verdict(&run, steps, opening: url, as: link, isNext: true) {
        case .goes: break
        case .asked: return
        case .waits where url != nil: return try holdAgain(&run, url ?? "", question, isGuarded: true)
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
    run.report.explain(try carryOut(&run, question.aim))
  }

  /// Closes the dialog of a question: the outermost modal around the screen that said `proceed`, if that modal was presented since the question was asked and is
  /// not itself what the question is about. If no screen said it, as after a load, the modal that the guard's step has presented.
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

  /// Holds a link again whose `requires` no longer holds now that the user has agreed. Returns false if it holds.
  private static func holdAgain(_ run: inout Run, _ url: String, _ question: Question) throws(Refusal) -> Bool {
    let match = try Links.match(run, url)
    guard let condition = match.link.requires, !run.holds(condition, in: Scope()) else { return false }
    try holdAgain(&run, url, question, isGuarded: false)
    return true
  }

  private static func holdAgain(_ run: inout Run, _ url: String, _ question: Question, isGuarded: Bool) throws(Refusal) {
    Questions.close(&run, question, "answered")
    Questions.dropLink(&run, question, "replaced")
    try HeldLinks.hold(&run, url, try Links.match(run, url), isGuarded: isGuarded)
  }

  private static func steps(_ run: borrowing Run, of aim: Question.Aim) throws(Refusal) -> [ArrivedStep]? {
    switch aim {
    case .open(_, let url): try Links.match(run, url).steps
    case .send(_, let template): [try Links.step(run, of: template, given: [:])]
    case .keep, .remove, .select, .exit: nil
    }
  }

  private static func carryOut(_ run: inout Run, _ aim: Question.Aim) throws(Refusal) -> NoChange? {
    switch aim {
    case .keep(let top, let above):
      guard let (stack, count) = Guards.kept(run.state, top, above) else { return .nothingAsked }
      return StackOperations.keep(&run, count, on: stack)
    case .remove(let node):
      Removal.leave(&run, node)
      return nil
    case .select(let tab, let tabs):
      guard let record = run.state.nodes.record(tab), record.parentID == tabs else { return .nothingAsked }
      return TabsOperations.select(&run, Siblings.index(of: record, in: run.state.nodes), in: tabs)
    case .exit, .open, .send: return nil
    }
  }
}
