import CairnAPI
import CairnCore
import CairnHTTP
import CairnJournal
import CairnStore

// Runs numbered actions. The response to each action is encoded before the commit and stored in the same transaction.
extension ActionEndpoints {
  func actNumbered(_ request: NumberedRequest, on session: Session, as role: Role, isPlan: Bool, _ call: Call) throws(Rejection) {
    guard call.request.body.count <= NumberedRequest.sizeLimit else {
      throw Rejection(.payloadTooLarge, "numbered actions may have at most \(NumberedRequest.sizeLimit) bytes; post fewer at once")
    }
    guard !isPlan else { throw Rejection(.invalid, "a plan stores nothing, so its actions cannot be numbered; post an array") }
    for field in ["If-Match", "Idempotency-Key"] as [StaticString] where call.request.headers.has(field) {
      throw Rejection(.invalid, "\(field) is not allowed with numbered actions, which run only once at any revision; remove it")
    }
    let style = responses.style(of: call, on: session)
    let made = definition(request.definition, of: request.actions.map(\.command), on: session, as: role)
    let actions = request.actions.map { item in
      NumberedAction(
        item.command, number: item.number, nodes: item.nodes, seen: item.seen, at: item.at, print: once.derivation.numbered(item.text, role)
      )
    }
    let post = NumberedPost(
      actions, of: request.client, madeFor: made, sent: request.now, to: session.id, origin: call.origin,
      key: { [once] in once.derivation.numbered(request.client, $0) },
      render: { self.rendered($0, $1, number: $2, created: $3) },
      created: { NumberedItemBody.created(in: $0.body) })
    store.post(post) { result in
      switch result {
      case .failure(let fault): call.reject(fault)
      case .success(let answers):
        self.countReplays(in: answers)
        let state = answers.session.state
        call.reached(state.revision)
        var headers = answers.session.tag.headers()
        if let applied = style.preferences.applied { headers.add("Preference-Applied", applied) }
        let head = headers
        self.responses.withPredictions(of: answers.session, style, call) { predictions in
          call.answer(
            headers: head, result: "numbered:\(answers.answers.count)", LazyBody { self.body(of: answers, style, predictions) })
        }
      }
    }
  }

  private func rendered(_ result: Result<Posted, StoreFault>, _ session: Session, number: WideInt, created: [NodeID]) -> RenderedAnswer {
    let item: NumberedItemBody
    switch result {
    case .success(let posted):
      telemetry.countSuppressions(of: posted)
      let transition = posted.performed.last?.transition ?? Transition(outcome: .unchanged)
      item = NumberedItemBody(number, .ran(transition, created: created, revision: session.state.revision))
    case .failure(let fault):
      var problem = telemetry.rejection(fault).problem
      if problem.status == 409 { problem.accepts = session.definition.reducer.accepts(session.state) }
      item = NumberedItemBody(number, .refused(problem))
    }
    // Encoding cannot fail, because the reducer refuses numbers that JSON cannot represent.
    return RenderedAnswer(status: 200, head: "", body: (try? JSONText.bytes(item)) ?? [])
  }

  private func body(of answers: NumberedAnswers, _ style: PostStyle, _ predictions: [PredictionBody]?) -> NumberedBody {
    let session = answers.session
    let all = answers.answers.map { answer -> NumberedBody.Answer in
      switch answer.content {
      case .given(let content, _):
        .stored(
          content.body,
          replica: style.preferences.addition == .replica ? ReplicaBody(answer.difference, by: session.definition.reducer) : nil)
      case .known: .known(answer.number)
      case .notRun(let fault): .notRun(answer.number, Self.problem(of: fault, telemetry.rejection(fault).problem))
      }
    }
    return NumberedBody(
      answers: all, revision: session.state.revision,
      seen: Seen(session.state, session.definition.reducer, isMinimal: style.preferences.isMinimal),
      included: style.included(of: session, predictions: predictions))
  }

  /// Converts the fault of an action that did not run to the problem in its response.
  private static func problem(of fault: StoreFault, _ problem: Problem) -> Problem {
    var problem = problem
    switch fault {
    case .keyReused: problem.detail = "this client has already posted another action with this number; use the next number"
    case .queueFull: problem.detail = "the actions before this one used up the work limit of the request; post this action again"
    default: break
    }
    return problem
  }

  private func countReplays(in answers: NumberedAnswers) {
    for answer in answers.answers {
      switch answer.content {
      case .given(_, isReplay: true), .known: telemetry.replayed()
      case .given, .notRun: break
      }
    }
  }
}
