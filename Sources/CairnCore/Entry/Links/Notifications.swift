/// Handles remote notifications.
enum Notifications {
  /// Delivers a notification. A suppressed notification has no effect, and is refused if the user has reacted to it. The first element of
  /// `take` that matches the notification determines the effect. If no element matches, a tap opens the payload's link, and any other
  /// notification has no effect. Returns the reason if nothing has changed.
  static func take(
    _ run: inout Run, url: String?, category: String?, tap: Bool, appState: Action.AppState, _ message: Action.Message
  ) throws(Refusal) -> NoChange? {
    if let url { try Limits.checkLength(run, of: url) }
    if let category { try run.meter.write(.string(category), as: "the category") }
    try run.meter.write(message.values, as: "the values of the notification")
    if let reply = message.reply { try run.meter.write(.string(reply), as: "the reply") }
    let hows = message.hows(tap: tap, appState: appState)
    let isUsed = tap || message.action != nil || message.reply != nil

    var arrival = try arrival(run, of: url, category, hows, message, isUsed: isUsed)
    if case .settled(let later) = arrival {
      #if !CLIENT_ENGINE
        let action = Action.notification(url: url, category: category, tap: tap, appState: appState, message)
        if !run.isReleasing, try HeldActions.hold(&run, action) { return nil }
      #endif
      arrival = later
    }
    switch arrival {
    case .settled: return .received
    case .suppressed:
      guard !isUsed else {
        throw Refusal(.suppressed, "a notification of the category \(category ?? "(none)") is currently suppressed")
      }
      run.report.note(Event(.notificationSuppressed, url: url, category: category))
      return .suppressed
    case .step(let step):
      run.report.note(Event(hows == [.tap] ? .notificationOpened : .notificationTaken, url: url, category: category))
      // Only a tap requires that the opened page is visible.
      let isSeen = hows == [.tap]
      if isUsed { try send(&run, step, isSeen: isSeen) } else { try Links.arrive(&run, [step], isSeen: isSeen) }
      return nil
    case .link(let url):
      run.report.note(Event(hows == [.tap] ? .notificationOpened : .notificationTaken, url: url, category: category))
      try Links.open(&run, url)
      return nil
    case .nothing:
      guard isUsed else {
        run.report.note(Event(.notificationShown, url: url, category: category))
        return .received
      }
      run.report.note(Event(.notificationOpened, url: url, category: category))
      return hows == [.tap] ? .noLink : .notTaken
    }
  }

  /// Sends the step of a notification to which the user has reacted, or of a URL that no link matches. Such a step does not wait for a
  /// modal that refuses to be removed: the step is sent, and the modal stays over the page. The step waits only for the condition of a tab,
  /// or for the answer to a question.
  static func send(_ run: inout Run, _ step: ArrivedStep, isSeen: Bool) throws(Refusal) {
    switch try Asking.verdict(&run, [step], opening: nil, isSeen: isSeen) {
    case .goes, .waits: try Links.arrive(&run, [step], isSeen: isSeen)
    case .asked: break
    case .gated(let tab):
      let link = run.state.linkBook.issue()
      run.report.note(Event(.linkHeld, reason: NoChange.requires.rawValue, link: link))
      run.report.noteHeld(link)
      try TabGates.wait(&run, .send(link, step.template), for: tab)
    }
  }

  /// The effect of a notification.
  enum Arrival {
    case suppressed
    case step(ArrivedStep)
    case link(String)
    /// An effect that waits until all clients have sent the actions that their users performed before the notification.
    indirect case settled(Arrival)
    /// No effect: the notification is only shown, no rule accepts the pressed button, or there is no link.
    case nothing
  }

  /// The effect that a notification would have in this state. `url` is the notification's own link, which a tap opens if no rule accepts the
  /// notification. A button without a rule has no effect.
  static func arrival(
    _ run: borrowing Run, of url: String?, _ category: String?, _ hows: Set<NotificationDefinition.How>, _ message: Action.Message,
    isUsed: Bool
  ) throws(Refusal) -> Arrival {
    var values = message.values
    // A secret reply is already among the values.
    if let reply = message.reply, !values.contains(exactly: NotificationDefinition.reply) {
      values[NotificationDefinition.reply] = .string(reply)
    }
    if isSuppressed(run, url, category, hows, values) { return .suppressed }
    if let taken = try taken(run, category, hows, values, isUsed: isUsed) { return taken }
    return hows == [.tap] ? url.map(Arrival.link) ?? .nothing : .nothing
  }

  /// Whether a `suppress` rule applies. Conditions may read the params of the link's first step and the values of the payload.
  private static func isSuppressed(
    _ run: borrowing Run, _ url: String?, _ category: String?, _ hows: Set<NotificationDefinition.How>, _ values: [String: Value]
  ) -> Bool {
    let rules = run.definition.notifications.suppress
    guard !rules.isEmpty else { return false }
    var scope = Scope(params: values)
    if let url, let match = try? Links.match(run, url) { scope.params.update(with: match.steps.first?.intent.step.params ?? [:]) }
    return rules.contains { rule in
      (rule.category == nil || rule.category.isExactly(category)) && (rule.how.map { !$0.isDisjoint(with: hows) } ?? true)
        && run.holds(rule.when, in: scope)
    }
  }

  /// Returns the effect of the first element of `take` that matches the notification; `nil` if none matches. An element whose values do not
  /// have the required types is skipped, as with links. If the user has reacted to the notification, and no element matches, throws the
  /// fault of the first element that was skipped.
  private static func taken(
    _ run: borrowing Run, _ category: String?, _ hows: Set<NotificationDefinition.How>, _ values: [String: Value], isUsed: Bool
  ) throws(Refusal) -> Arrival? {
    let scope = Scope(params: values)
    var misfit: Refusal?
    for taking in run.definition.notifications.take where taking.category == nil || taking.category.isExactly(category) {
      guard !taking.how.isDisjoint(with: hows), taking.when.map({ run.holds($0, in: scope) }) ?? true else { continue }
      switch taking.routing {
      case .link(let expression):
        do {
          if case .string(let url)? = try run.url(of: expression, in: scope) { return taking.isSettled ? .settled(.link(url)) : .link(url) }
          misfit = misfit ?? Refusal(.invalid, "the values from the notification are invalid for its link", faults: [])
        } catch {
          misfit = misfit ?? error
        }
      case .step(let template):
        let faults = run.definition.misfits(of: template, values) { run.definition.notifications.values[$0]?.pointers.first ?? "" }
        guard !faults.isEmpty else {
          let step = Arrival.step(try Links.step(run, of: template, given: values))
          return taking.isSettled ? .settled(step) : step
        }
        misfit = misfit ?? Refusal(.invalid, "the values from the notification are invalid for the step \(template.step)", faults: faults)
      }
    }
    if isUsed, let misfit { throw misfit }
    return nil
  }
}
