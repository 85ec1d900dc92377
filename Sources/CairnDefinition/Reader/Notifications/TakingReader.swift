import CairnCore

/// Reads the values of notifications, and the elements of `take`.
struct TakingReader: PartReader {
  let context: ReaderContext

  /// Reads `values`: names with the JSON Pointers of their values in the payload.
  func values(_ element: Element?) -> [String: NotificationDefinition.Reading] {
    guard let element, !element.isNull else { return [:] }
    guard let members = element.members else {
      report("`values` must be a map of names and JSON Pointers, like `id: /data/id`, not \(described(element))", at: element.position)
      return [:]
    }
    var values: [String: NotificationDefinition.Reading] = [:]
    for member in members {
      if Surroundings.words.contains(member.name) || member.name == NotificationDefinition.reply {
        report("a value cannot be named `\(member.name)`: `$\(member.name)` has another meaning; use another name", at: member.position)
      } else if isName(member, .param) {
        values[member.name] = .init(notifications.pointers(member.element, member.name))
      }
    }
    return values
  }

  /// Reads `{ category, when, how, send | link }`. Returns `nil` after reporting an error.
  func taking(
    _ element: Element, of values: [String: ParameterDefinition], reply: ParameterDefinition, links: [LinkDefinition]
  ) -> NotificationDefinition.Taking? {
    guard let fields = fields(of: element, "an element of `take`", .taking) else { return nil }
    let category = fields["category"].flatMap { text($0, "`category`") }
    let how = fields["how"].map { hows($0) } ?? [.tap]
    var scope = Surroundings(params: values, of: "the notification")
    scope.hasCaptures = true
    if how.contains(where: \.mayHaveText) { scope.params?[NotificationDefinition.reply] = reply }
    let condition = fields["when"].flatMap { conditions.condition($0, in: scope) }
    guard (fields["send"] == nil) != (fields["link"] == nil) else {
      report(
        "an element of `take` needs \(fields["send"] == nil ? "`send` or `link`" : "either `send` or `link`, not both")",
        at: element.position)
      return nil
    }
    for member in ["with", "to"] where fields["link"] != nil && fields[member] != nil {
      report("`\(member)` is allowed only with `send`; the URL of a link contains its values", at: fields.position(of: member))
    }
    let routing: NotificationDefinition.Taking.Routing?
    if let link = fields["link"] {
      let url = text(link, "`link`").flatMap { _ in expressions.expression(link, in: scope.withTemplates) }
      if let url { secretSources.check(url, among: links, at: link.position) }
      routing = url.map { .link($0) }
    } else {
      routing = steps.step(from: fields, in: scope, follows: true).map { .step($0) }
    }
    return routing.map {
      var taking = NotificationDefinition.Taking(category: category, when: condition, how: how, $0)
      taking.isSettled = word(fields["deliver"], "`deliver`", among: Delivery.allCases) != nil
      return taking
    }
  }

  /// Reads `how`: a way in which a message can arrive, or a list of ways.
  func hows(_ element: Element) -> Set<NotificationDefinition.How> {
    let elements = oneOrMore(element)
    if elements.isEmpty { report("`how` needs at least one of \(Self.howNames)", at: element.position) }
    return Set(elements.compactMap { how($0) })
  }

  private enum Delivery: String, CaseIterable { case settled }

  private static let howNames = NotificationDefinition.How.words.map { "`\($0.word)`" }.joined(separator: ", ") + " and `{ action: NAME }`"

  private func how(_ element: Element) -> NotificationDefinition.How? {
    if element.members != nil {
      return fields(of: element, "`how`", .button)?["action"].flatMap { text($0, "`action`") }.map { .action($0) }
    }
    let words = NotificationDefinition.How.words
    if let known = words.first(where: { $0.word == element.text }) { return known.how }
    let meant = element.text.flatMap { NearestName.of($0, among: words.map(\.word)) }
    report(
      "`how` must be one of \(Self.howNames), not \(described(element))\(meant.map { "; did you mean `\($0)`?" } ?? "")",
      at: element.position)
    return nil
  }
}

extension NotificationDefinition.How {
  /// Whether the user may enter text in response to the message.
  fileprivate var mayHaveText: Bool {
    switch self {
    case .action, .reply: true
    case .tap, .foreground, .silent: false
    }
  }
}
