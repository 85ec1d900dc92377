import CairnCore
import Testing

/// An app with links, a chat whose notifications accept a reply, and values of a payload.
enum MessagesApp {
  static let text = """
    app: messages
    language: 1
    compat: { emits: any, words: [show] }
    root: { flow: main }
    screens:
      home: {}
      item: { params: { id: integer } }
      page: { params: { text: string } }
      sum: { params: { total: number } }
    steps: { show: { id: integer }, said: { text: string }, add: { total: number } }
    flows:
      main:
        stack: home
        handle:
          show: { push: item, with: { id: $id } }
          said: { push: page, with: { text: $text } }
          add: { push: sum, with: { total: $total } }
    links:
      - { host: shop.example, scheme: shop, path: "/items/{id}", send: show }
      - { scheme: shop, path: /said, query: [text], send: said }
    notifications:
      id: [apns-id, /id]
      values: { id: /order/id, total: /order/total, name: /order/name }
      take:
        - { category: order, how: tap, send: show }
        - { category: total, send: add, with: { total: $total } }
        - { category: name, send: said, with: { text: $name } }
        - { category: named, link: "shop://said?text={name}" }
        - { category: chat, how: reply, send: said, with: { text: $reply } }
        - { category: chat, how: { action: answer }, send: said, with: { text: answer } }
        - { category: chat, how: { action: later }, send: said, with: { text: later } }
    """

  /// A service that serves the app, and a session of it. `more` contains further members of the session's creation, each with a leading comma.
  static func session(_ more: String = "", text: String = text) throws -> Driven {
    let workshop = try Workshop()
    let put = try workshop.send("PUT", "/v1/apps/messages", text, as: Workshop.operatorKey, type: "application/yaml")
    try #require(put.status == 201 || put.status == 200, "\(put.text)")
    return try workshop.session("messages", more)
  }
}

extension Reply {
  /// The visible screen with its only param, as in `item 7`.
  var visible: String {
    guard case .array(let stack)? = self["stack"], let last = stack.last, case .string(let screen)? = last["screen"] else {
      return "\(status) \(text)"
    }
    guard case .object(let params)? = last["params"], let value = params.first?.value else { return screen }
    return "\(screen) \(value.shortText)"
  }
}
