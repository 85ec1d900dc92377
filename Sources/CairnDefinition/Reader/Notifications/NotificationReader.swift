import CairnCore

/// Reads the section `notifications` of a definition.
struct NotificationReader: PartReader {
  let context: ReaderContext

  /// Reads `notifications`. Parts with errors are reported and omitted.
  func notifications(_ element: Element, links: [LinkDefinition]) -> NotificationDefinition {
    var notifications = NotificationDefinition()
    guard let fields = fields(of: element, "`notifications`", .notifications) else { return notifications }
    if let link = fields["link"] { notifications.linkPointers = pointers(link, "`link`") }
    if let category = fields["category"] { notifications.categoryPointers = pointers(category, "`category`") }
    if let id = fields["id"] { notifications.idPlaces = places(id) }
    notifications.values = takings.values(fields["values"])
    let secret = secretSources.passed(toRules: fields["take"], among: Array(notifications.values.keys))
    func type(of value: String, unlessSecret kind: ParameterDefinition.Kind) -> ParameterDefinition {
      secret.contains(value) ? SecretSources.type : ParameterDefinition(kind)
    }
    let values = Dictionary(uniqueKeysWithValues: notifications.values.keys.map { ($0, type(of: $0, unlessSecret: .any)) })
    let reply = type(of: NotificationDefinition.reply, unlessSecret: .string)
    notifications.take = list(fields["take"], "`take`").compactMap { takings.taking($0, of: values, reply: reply, links: links) }
    notifications.suppress = list(fields["suppress"], "`suppress`").compactMap { suppression($0, links: links, values: values) }
    secretSources.checkPointers(of: notifications.values, secret, at: fields["values"]?.position ?? fields.position)
    let types = ValueTypes(in: notifications, names)
    for name in notifications.values.keys { if let type = types[name] { notifications.values[name]?.type = type } }
    return notifications
  }

  /// Reads a JSON Pointer (RFC 6901), or a list of JSON Pointers. Invalid pointers are reported and omitted.
  func pointers(_ element: Element, _ what: String) -> [String] {
    let elements = oneOrMore(element)
    if elements.isEmpty { report("\(what) needs at least one JSON Pointer, like `/data/url`", at: element.position) }
    return elements.compactMap { element -> String? in
      guard let text = text(element, "a JSON Pointer") else { return nil }
      if text.hasPrefix("/") { return text }
      report("a JSON Pointer must begin with `/`, like `/data/url`, not `\(text)`", at: element.position)
      return nil
    }
  }

  /// Reads the positions of a message's id: JSON Pointers into the payload, or names of header fields of the request.
  private func places(_ element: Element) -> [String] {
    let elements = oneOrMore(element)
    if elements.isEmpty {
      report("`id` needs at least one JSON Pointer or header, like `/gcm.message_id` or `apns-id`", at: element.position)
    }
    return elements.compactMap { element -> String? in
      guard let text = text(element, "a JSON Pointer or a header's name") else { return nil }
      if text.hasPrefix("/") || Self.isFieldName(text) { return text }
      report("`id` must be a JSON Pointer, like `/data/id`, or a header's name, like `apns-id`, not `\(text)`", at: element.position)
      return nil
    }
  }

  /// Whether the text is a `token` (RFC 9110, 5.6.2).
  private static func isFieldName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Reads an element of `suppress`. Its condition may use the params of links' first steps, and the values
  /// of the payload. Returns `nil` after reporting an error.
  private func suppression(
    _ element: Element, links: [LinkDefinition], values: [String: ParameterDefinition]
  ) -> NotificationDefinition.Suppression? {
    guard let fields = fields(of: element, "`suppress`", .suppression) else { return nil }
    var params: [String: ParameterDefinition] = [:]
    for link in links {
      for (name, type) in link.steps.first.flatMap({ names.step($0.step) })?.params ?? [:] {
        guard let known = params[name], !known.isSecret else {
          params[name] = params[name] ?? type
          continue
        }
        params[name] = type.isSecret || known.kind == type.kind ? type : ParameterDefinition(.any)
      }
    }
    params.merge(values) { param, value in param.isSecret ? param : value }
    let category = fields["category"].flatMap { text($0, "`category`") }
    let how = fields["how"].map { takings.hows($0) }
    let scope = params.isEmpty ? Surroundings("no link has a step with params") : Surroundings(params: params, of: "the step of a link")
    return fields["when"].flatMap { conditions.condition($0, in: scope) }.map { .init(category: category, how: how, when: $0) }
  }
}
