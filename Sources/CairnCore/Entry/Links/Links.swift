/// A step of a link or notification. Without a destination, the flow of the visible screen receives it.
struct ArrivedStep {
  var intent: Intent
  var to: Operation.Destination?

  /// A template that sends the same step.
  var template: StepTemplate { StepTemplate(intent.step.step, with: intent.step.params.mapValues(Expression.literal), to: to) }
}

/// A link that matches a URL, its steps with their params, and the captured values.
struct LinkMatch {
  var link: LinkDefinition
  var steps: [ArrivedStep]
  var captures: [String: String]
}

/// Follows deep links.
enum Links {
  static func open(_ run: inout Run, _ url: String) throws(Refusal) {
    try Limits.checkLength(run, of: url)
    #if !CLIENT_ENGINE
      if let template = run.definition.unmatched, let refusal = taken(run, url).refusal {
        return try answer(&run, url, refusal.code, by: template)
      }
    #endif
    let match = try match(run, url)
    if let condition = match.link.requires, !run.holds(condition, in: Scope()) { return try HeldLinks.hold(&run, url, match, .requires) }
    switch try Asking.verdict(&run, match.steps, opening: url) {
    case .goes: try arrive(&run, match.steps[...])
    case .asked: break
    case .waits: try HeldLinks.hold(&run, url, match, .guarded)
    case .gated(let tab): try HeldLinks.hold(&run, url, match, .gated(tab))
    }
  }

  #if !CLIENT_ENGINE
    /// Sends the definition's step `unmatched`, because no link matches the URL.
    private static func answer(
      _ run: inout Run, _ url: String, _ reason: Refusal.Code, by template: StepTemplate
    ) throws(Refusal) {
      let step = try step(run, of: template, given: ["url": .string(SealedURL.shown(url)), "reason": .string(reason.rawValue)])
      try Notifications.send(&run, step, isSeen: true)
    }
  #endif

  /// Sends the steps of a link or notification. With `isSeen`, the modals over the opened page are removed. The turn of the first step is
  /// part of the action: if the turn is refused, the action is refused with the same reason.
  static func arrive(_ run: inout Run, _ steps: ArraySlice<ArrivedStep>, isSeen: Bool = true) throws(Refusal) {
    guard let first = steps.first else { return }
    guard first.to != .all else { return queue(&run, steps) }
    if isSeen { run.linked = LinkedPlace(firstNode: run.state.nextNode) }
    try run.take(TurnQueue.Item(intent: first.intent, receiver: receiver(run, of: first.to)))
    // The other steps are queued after the steps that the first step's turn has queued.
    queue(&run, steps.dropFirst())
  }

  /// Queues the steps of a link or of a tapped notification that has waited.
  static func follow(_ run: inout Run, _ steps: [ArrivedStep]) {
    // A step to all flows does not open the page of one particular flow.
    if steps.first?.to != .all { run.linked = LinkedPlace(firstNode: run.state.nextNode) }
    queue(&run, steps[...])
  }

  private static func queue(_ run: inout Run, _ steps: ArraySlice<ArrivedStep>) {
    for step in steps { run.turns.enqueue(TurnQueue.Item(intent: step.intent, receiver: receiver(run, of: step.to))) }
  }

  /// The receiver of a link's step. The step has no sending flow, so `current` and `parent` mean the flow of the visible screen.
  private static func receiver(_ run: borrowing Run, of destination: Operation.Destination?) -> TurnQueue.Item.Receiver {
    switch destination {
    case .flow(let name): .named(name, from: nil)
    case .root: .flow(run.state.root)
    case .all: .all
    case nil, .parent, .current: .visible
    }
  }

  /// Sends the `else` step of a link, by default to the flow of the visible screen. The step has no sending flow or screen. If its params do not fit, the step
  /// is dropped.
  static func sendArrival(_ run: inout Run, _ template: StepTemplate, _ captures: [String: String]) throws(Refusal) {
    do {
      let intent = try step(run, of: template, given: captures.mapValues { Value(capture: $0) }).intent
      Sending.send(&run, intent, to: template.to, as: .toCurrent, by: nil, emitter: nil, otherwise: Handling.visibleHandlingFlow(run))
    } catch  where !error.code.isBound {
      run.drop(Step(template.step), error.code.rawValue)
    }
  }

  /// Returns the first link in file order that matches the URL, with its steps. Throws if no link matches.
  static func match(_ run: borrowing Run, _ text: String) throws(Refusal) -> LinkMatch {
    let (link, captures) = try link(run, for: text)
    return try match(run, link, captures)
  }

  /// Evaluates the steps of a link, which read the captures and may read facts. Throws if a param does not fit its step.
  static func match(_ run: borrowing Run, _ link: LinkDefinition, _ captures: [String: String]) throws(Refusal) -> LinkMatch {
    let given = captures.mapValues { Value(capture: $0) }
    var steps: [ArrivedStep] = []
    for template in link.steps { steps.append(try step(run, of: template, given: given)) }
    return LinkMatch(link: link, steps: steps, captures: captures)
  }

  /// Finds the first link in file order that takes the URL: its condition `when` is true, its path matches, and its captures fit the types
  /// of the steps' params. Throws if there is none. If the path of a link matches, the error is that of the first such link.
  static func link(_ run: borrowing Run, for text: String) throws(Refusal) -> (link: LinkDefinition, captures: [String: String]) {
    let found = taken(run, text)
    guard let taken = found.taken else {
      // The engine of a client does not know whether the definition has a step `unmatched`.
      run.program.withheld?.noteRead()
      throw found.refusal ?? run.definition.unknownLink
    }
    return (run.definition.links[taken.index], taken.values)
  }

  /// The first link in file order that matches the URL in this state. If no link matches, `refusal` is the reason.
  @inline(never)
  static func taken(_ run: borrowing Run, _ text: String) -> (taken: TakenLink?, refusal: Refusal?) {
    run.definition.link(for: text) { run.holds($0, in: Scope()) }
  }

  /// Evaluates a step of a link or notification. If a param is only a reference to a text, the text is parsed as the param's type. Throws `invalid` if a param
  /// does not fit the step.
  static func step(_ run: borrowing Run, of template: StepTemplate, given: [String: Value]) throws(Refusal) -> ArrivedStep {
    let types = run.definition.steps[template.step]?.params ?? [:]
    var params: [String: Value] = [:]
    for (name, expression) in template.with {
      if case .reference(.param(let source)) = expression, let value = given[source] {
        params[name] = types[name]?.reading(value) ?? value
        // The engine of a client cannot read the number of a secret in a URL, so it does not predict the step.
        if types[name]?.isSecret == true { run.program.withheld?.noteRead() }
      } else {
        params[name] = try run.url(of: expression, in: Scope(params: given))
      }
    }
    let (checked, faults) = ParameterDefinition.check(params, against: types)
    guard faults.isEmpty else {
      let all = faults.map { Refusal.Fault(pointer: "/url", detail: "\($0.name) \($0.fault)") }
      throw Refusal(.invalid, "the values from the link are invalid for the step \(template.step)", faults: all)
    }
    return ArrivedStep(intent: run.intent(Step(template.step, params: checked)), to: template.to)
  }
}
