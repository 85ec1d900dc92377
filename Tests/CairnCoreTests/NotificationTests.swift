import CairnCore
import CairnTesting
import Testing

/// Notifications without a link, selected by their values and by how they arrive.
@Suite struct `Processed notifications` {
  private static let app = """
    app: told
    language: 1
    compat: { emits: any }
    root: { flow: main }
    facts: { isLocked: { type: boolean, default: false } }
    screens: { home: {}, item: { params: { id: integer } }, said: { params: { text: string } }, ref: { params: { ref: string } } }
    steps: { pick: { id: integer }, later: {}, say: { text: string }, quiet: {}, reference: { ref: string }, any: {} }
    links:
      - { scheme: t, path: "/items/{id}", requires: { fact: isLocked, is: false }, send: pick }
    notifications:
      id: [/id]
      values: { id: [/data/item/id, /item], ref: /ref }
      take:
        - { category: item, how: [tap, foreground], send: pick }
        - { category: item, when: { param: ref, is: present }, how: silent, send: quiet }
        - { category: item, how: { action: later }, send: later }
        - { category: item, how: reply, send: say, with: { text: $reply } }
        - { category: far, link: "t://items/{id}" }
        - { category: ref, send: reference }
        - { category: two, send: pick }
        - { category: two, send: any }
      suppress:
        - { category: item, how: foreground, when: { visible: item, with: { id: $id } } }
        - { category: promo, how: [foreground], when: { flow: main } }
    flows:
      main:
        stack: home
        handle:
          pick: { push: item, with: { id: $id } }
          later: popToRoot
          say: { push: said, with: { text: $text } }
          quiet: { write: { isLocked: true } }
          reference: { push: ref, with: { ref: $ref } }
          any: { push: home }
    """

  private func arrive(
    _ drive: inout Drive, _ payload: Value, tap: Bool = false, _ state: Action.AppState = .foreground, action: String? = nil,
    reply: String? = nil, isMessage: Bool = false
  ) {
    drive.run(
      drive.reducer.definition.notifications.action(
        for: payload, tap: tap, appState: state, action: action, reply: reply, isMessage: isMessage))
  }

  @Test func `a notification in the foreground writes an entry and shows no banner`() throws {
    var drive = try Drive(Self.app)
    arrive(&drive, ["aps": ["category": "item", "alert": "x"], "data": ["item": ["id": "7"]]])
    #expect(drive.outcome == "performed" && drive.sketch == "main[home, item(id: 7)]")
    #expect(drive.last.events.map(\.type) == [.notificationTaken, .willNavigate, .didNavigate])
    #expect(drive.entries.count == 2)
    #expect(try drive.replayed() == drive.state)
    #expect(drive.broken == [])
  }

  @Test func `a notification in the background waits for its tap, even if it is suppressed in the foreground`() throws {
    var drive = try Drive(Self.app)
    let payload: Value = ["category": "item", "item": 7]
    arrive(&drive, payload, .background)
    #expect(drive.outcome == "unchanged (received)" && drive.last.events.map(\.type) == [.notificationShown])
    arrive(&drive, payload, tap: true, .background)
    #expect(drive.sketch == "main[home, item(id: 7)]" && drive.last.events.first?.type == .notificationOpened)
    arrive(&drive, payload)
    #expect(drive.outcome == "unchanged (suppressed)")
    arrive(&drive, ["category": "item", "item": "8"])
    #expect(drive.sketch == "main[home, item(id: 7), item(id: 8)]")
    arrive(&drive, payload, tap: true, .background)
    #expect(drive.sketch == "main[home, item(id: 7), item(id: 8), item(id: 7)]")
    arrive(&drive, ["category": "promo", "url": "t://items/1"])
    #expect(drive.outcome == "unchanged (suppressed)")
    arrive(&drive, ["category": "promo", "url": "t://items/1"], tap: true, .background)
    #expect(drive.routes.count == 5)
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a button, a text reply and a silent notification select their handlers`() throws {
    var drive = try Drive(Self.app)
    arrive(&drive, ["category": "item", "item": 7], reply: "Hello")
    #expect(drive.sketch == "main[home, said(text: Hello)]" && drive.last.events.first?.type == .notificationTaken)
    arrive(&drive, ["category": "item", "item": 7], action: "later", reply: "no")
    #expect(drive.sketch == "main[home]")
    arrive(&drive, ["category": "item", "item": 7], action: "other")
    #expect(drive.outcome == "unchanged (not-taken)")
    // A silent notification cannot be tapped. The app processes it in the background too.
    arrive(&drive, ["aps": ["category": "item", "content-available": 1], "ref": "x"], .background)
    #expect(drive.outcome == "performed" && drive.state.facts["isLocked"] == true)
    arrive(&drive, ["aps": ["category": "item", "content-available": 1]], .background)
    #expect(drive.outcome == "unchanged (received)")
    arrive(&drive, ["category": "item", "ref": "x", "data": [:]], .background, isMessage: true)
    #expect(drive.last.events.first?.type == .notificationTaken)
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a notification whose link is held is pending`() throws {
    var drive = try Drive(Self.app)
    arrive(&drive, ["aps": ["category": "item", "content-available": 1], "ref": "x"])
    arrive(&drive, ["category": "far", "item": 9], tap: true)
    #expect(drive.outcome == "pending" && drive.state.pendingLinks.map(\.url) == ["t://items/9"])
    drive.run(.facts(["isLocked": false]))
    #expect(drive.sketch == "main[home, item(id: 9)]")
    #expect(try drive.replayed() == drive.state)
  }

  @Test func `a value is read as the type of its param, and one that does not fit tries the next rule or none`() throws {
    var drive = try Drive(Self.app)
    arrive(&drive, ["category": "ref", "ref": 12], tap: true)
    #expect(drive.sketch == "main[home, ref(ref: 12)]")
    arrive(&drive, ["category": "two", "item": "x"], tap: true)
    #expect(drive.sketch == "main[home, ref(ref: 12), home]")
    arrive(&drive, ["category": "item", "item": "x"], tap: true)
    #expect(drive.outcome == "invalid")
    #expect(drive.refusal?.faults == [.init(pointer: "/data/item/id", detail: "id must be of type integer, not string")])
    arrive(&drive, ["category": "item"], tap: true)
    #expect(drive.refusal?.faults == [.init(pointer: "/data/item/id", detail: "id is missing; it must be of type integer")])
    arrive(&drive, ["category": "item", "item": "x"])
    #expect(drive.outcome == "unchanged (received)")
    // If no category matches, the link in the payload is opened.
    arrive(&drive, ["deep_link": "t://items/3"], tap: true)
    #expect(drive.sketch == "main[home, ref(ref: 12), home, item(id: 3)]")
  }

  @Test(
    arguments: [
      ["ab_uri": "u"], ["wzrk_dl": "u"], ["itbl": ["defaultAction": ["type": "openUrl", "data": "u"]]], ["custom": ["u": "u"]], ["^d": "u"],
      ["CIO": ["push": ["link": "u"]]], ["ios_deep_link": "u"], ["android_deep_link": "u"], ["deepLink": ["typ": "a", "value": "u"]],
      ["app_url": "u"], ["uri": "u"], ["url": "u", "ab_uri": "other"], ["data": ["url": "u"], "deep_link": "other"],
    ] as [Value]) func `the link is found in the members that vendors use`(payload: Value)
  {
    guard case .notification(let url, _, _, _, _) = NotificationDefinition().action(for: payload, tap: true, appState: .background) else {
      return #expect(Bool(false))
    }
    #expect(url == "u")
  }
}
