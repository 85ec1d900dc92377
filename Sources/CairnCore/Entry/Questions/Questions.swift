/// Ends the session's question, and determines whether the user can still answer it.
enum Questions {
  /// Ends the question because its node no longer exists. Must be called when all turns have run.
  static func endIfGone(_ run: inout Run) {
    guard run.state.isAsking, let question = run.state.question, !run.state.stands(question.node) else { return }
    end(&run, "gone")
  }

  /// Ends a question after the next performed action of the user, unless a node or effect still exists that is newer than the question
  /// (`hasTrace`). After the end, follows the held links that have waited for the answer.
  static func endIfAnswered(_ run: inout Run, _ action: Action, since old: State) throws(Refusal) {
    // An action that a guard has stopped again is no answer, even if the question is the same as before.
    guard action.isClients, let before = old.question, run.state.question == before, !run.report.isGuarded,
      !run.report.isPending(in: run.state), !hasTrace(run, of: before)
    else { return }
    guard !Survivors.between(old, and: run.state, run.edits).isUnchanged || !run.state.isEqualBesideNodes(to: old) else { return }
    end(&run, "stayed")
    try run.drain()
    Effects.followCover(&run)
  }

  /// Whether a node or effect exists that was created or started after a question was asked. Overlays and their effects, inactivity timers
  /// and the session's timer do not count.
  static func hasTrace(_ run: borrowing Run, of question: Question?) -> Bool {
    guard let question else { return false }
    let nodes = run.state.nodes
    func isTrace(_ record: NodeRecord?) -> Bool { record.map { !$0.isOverlay } ?? true }
    return nodes.records.contains { $0.nodeID.number >= question.firstNode && run.state.stands($0) && isTrace($0) }
      || run.state.effects.contains {
        $0.id >= question.firstEffect && !$0.isOfSession && isTrace($0.owner.flatMap { nodes.record($0) })
      }
  }

  /// Whether the user can still answer a question: its dialog is open or, if it has no dialog, a node or effect exists that is newer than
  /// the question.
  static func isShown(_ run: borrowing Run, _ question: Question?) -> Bool {
    guard let dialog = question?.dialog else { return hasTrace(run, of: question) }
    return run.state.stands(dialog)
  }

  /// Ends the question without performing its action. Does nothing if there is none.
  static func end(_ run: inout Run, _ why: String) {
    guard let question = run.state.question else { return }
    close(&run, question, why)
    dropLink(&run, question, why)
  }

  /// Removes the question. The event contains the client and the number of the action that the question had stopped.
  static func close(_ run: inout Run, _ question: Question, _ why: String) {
    run.state.questionBook.asked = nil
    run.report.note(Event(.questionEnded, node: question.node, reason: why, question: question.id, sender: question.sender))
  }

  /// Adds the event that the link of a question is dropped. Does nothing if the question has no link.
  static func dropLink(_ run: inout Run, _ question: Question?, _ why: String) {
    guard let question, let link = question.link else { return }
    run.report.note(Event(.linkDropped, reason: why, url: question.aim.url, link: link))
  }

  /// Performs the action `cancel` with a question. Throws `question-gone` if the question has ended, and `invalid` if its id has never been assigned.
  static func cancel(_ run: inout Run, _ id: QuestionID) throws(Refusal) {
    guard run.state.question?.id != id else { return end(&run, "cancelled") }
    guard id.number < run.state.questionBook.next else {
      throw Refusal(
        .invalid, "\(id) has never been assigned", faults: [.init(pointer: "/question", detail: "must be the id of a question")])
    }
    throw Refusal(.questionGone, "\(id) has ended")
  }
}

extension Action {
  /// Whether the action comes from a user, so that it may answer a question.
  fileprivate var isClients: Bool {
    switch self {
    case .step, .gesture, .open: true
    case .notification(_, _, let tap, _, let message): tap || message.action != nil || message.reply != nil
    default: false
    }
  }
}
