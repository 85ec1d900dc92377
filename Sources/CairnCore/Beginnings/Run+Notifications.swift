// Remote notifications.
extension Run {
  /// What the definition takes acts, however it came. Else a tap acts as the payload's link; what is only received never navigates.
  mutating func notify(
    url: String?, category: String?, tap: Bool, appState: Action.AppState, _ message: Action.Message
  ) throws(Refusal) {
    if let url { try checkLength(of: url) }
    if let category { try meter.write(.string(category), as: "the category") }
    try meter.write(message.values, as: "the values of the notification")
    if let reply = message.reply { try meter.write(.string(reply), as: "the reply") }
    var values = message.values
    if let reply = message.reply { values[NotificationDefinition.reply] = .string(reply) }
    let hows = message.hows(tap: tap, appState: appState)
    let isUsed = tap || message.action != nil || message.reply != nil

    if isSuppressed(url, category, hows, values) {
      guard !isUsed else {
        throw Refusal(.suppressed, "a notification of the category \(category ?? "(none)") is not shown here")
      }
      reason = "suppressed"
      return note(Event(.notificationSuppressed, url: url, category: category))
    }
    if let arrival = try taken(category, hows, values, isUsed: isUsed) {
      note(Event(hows == [.tap] ? .notificationOpened : .notificationTaken, url: arrival.url ?? url, category: category))
      switch arrival {
      case .step(let step): return try arrive([step])
      case .link(let url): return try open(url)
      }
    }
    guard isUsed else {
      reason = "received"
      return note(Event(.notificationShown, url: url, category: category))
    }
    note(Event(.notificationOpened, url: url, category: category))
    // Its own link is where a tap leads; a button that nobody takes leads nowhere.
    guard hows == [.tap] else { return reason = "not-taken" }
    guard let url else { return reason = "no-link" }
    try open(url)
  }

  /// Conditions may name the params that the link gives, and the values of the payload.
  private func isSuppressed(_ url: String?, _ category: String?, _ hows: Set<NotificationDefinition.How>, _ values: [String: Value]) -> Bool
  {
    let rules = definition.notifications.suppress
    guard !rules.isEmpty else { return false }
    var scope = Scope(params: values)
    if let url, let match = try? match(url) { scope.params.merge(match.steps.first?.intent.step.params ?? [:]) { _, given in given } }
    return rules.contains { rule in
      (rule.category == nil || rule.category.isExactly(category)) && (rule.how.map { !$0.isDisjoint(with: hows) } ?? true)
        && holds(rule.when, in: scope)
    }
  }

  /// What a notification becomes.
  private enum Arrival {
    case step(ArrivedStep)
    case link(String)

    var url: String? { if case .link(let url) = self { url } else { nil } }
  }

  /// The first that takes it. Values that do not fit are not taken, as with links; what was used and is taken by nobody for that reason is
  /// refused.
  private func taken(
    _ category: String?, _ hows: Set<NotificationDefinition.How>, _ values: [String: Value], isUsed: Bool
  ) throws(Refusal) -> Arrival? {
    let scope = Scope(params: values)
    var misfit: Refusal?
    for taking in definition.notifications.take where taking.category == nil || taking.category.isExactly(category) {
      guard !taking.how.isDisjoint(with: hows), taking.when.map({ holds($0, in: scope) }) ?? true else { continue }
      switch taking.routing {
      case .link(let expression):
        if case .string(let url)? = value(of: expression, in: scope) { return .link(url) }
        misfit = misfit ?? Refusal(.invalid, "the notification does not fit the link that it takes", faults: [])
      case .step(let template):
        let faults = definition.misfits(of: template, values) { definition.notifications.values[$0]?.pointers.first ?? "" }
        guard !faults.isEmpty else { return .step(try step(of: template, given: values)) }
        misfit = misfit ?? Refusal(.invalid, "the notification does not fit the step \(template.step)", faults: faults)
      }
    }
    if isUsed, let misfit { throw misfit }
    return nil
  }
}
