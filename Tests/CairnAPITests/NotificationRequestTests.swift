import CairnAPI
import CairnCore
import Testing

@Suite struct `A notification on the wire` {
  private func id(_ body: Value, at pointer: String) -> Result<String?, BodyFault> {
    do throws(BodyFault) { return .success(try NotificationRequest(body).id(at: pointer)) } catch { return .failure(error) }
  }

  @Test(
    arguments: [
      (["id": "m1"], "m1"), (["id": 7], "7"), (["id": -7], "-7"), (["id": ""], nil), (["id": .null], nil), ([:], nil),
      (["id": .string(String(repeating: "x", count: 255))], String(repeating: "x", count: 255)),
    ] as [(Value, String?)]) func `an id is a string or a whole number, or is left out`(body: Value, expected: String?)
  {
    #expect(id(body, at: "/id") == .success(expected))
  }

  @Test(
    arguments: [
      (.number(1.5), "be a string or a whole number, not number"), (true, "be a string or a whole number, not boolean"),
      ([], "be a string or a whole number, not array"), (.string(String(repeating: "é", count: 128)), "have at most 255 bytes"),
    ] as [(Value, String)]) func `anything else is a fault where it stands`(value: Value, text: String)
  {
    let detail = "is the message's id: it must \(text)"
    #expect(id(["id": value], at: "/id") == .failure(.invalid([.init(pointer: "/id", detail: detail)])))
    let message: Value = ["message": ["data": ["id": value]]]
    #expect(id(message, at: "/id") == .failure(.invalid([.init(pointer: "/message", detail: detail)])))
  }

  @Test func `a message's own members come before those for Apple, and its data last`() throws {
    let request = try NotificationRequest([
      "message": [
        "name": "own", "apns": ["payload": ["name": "apple", "aps": ["category": "c"], "url": "apple"]],
        "data": ["name": "data", "url": "data", "more": "d"],
      ]
    ])
    #expect(request.isMessage)
    #expect(request.payload["name"] == "own" && request.payload["url"] == "apple" && request.payload["more"] == "d")
    #expect(request.payload["data"] == ["name": "data", "url": "data", "more": "d"])
  }

  @Test func `layers that are no objects are passed over`() throws {
    let request = try NotificationRequest(["message": ["data": "x", "apns": ["payload": [1]], "url": "u"]])
    #expect(request.payload["url"] == "u")
  }

  @Test func `the button and what was written into it arrive`() throws {
    let request = try NotificationRequest(["url": "u"])
    let command = try request.command(NotificationDefinition(), tap: false, appState: .foreground, action: "reply", reply: "hello")
    #expect(
      command
        == .action(
          .notification(
            url: "u", category: nil, tap: true, appState: .foreground, Action.Message(action: "reply", reply: "hello"))))
  }

  @Test func `a message of data only is silent`() throws {
    func isSilent(_ body: Value, tap: Bool = false) throws -> Bool? {
      let command = try NotificationRequest(body).command(NotificationDefinition(), tap: tap, appState: .background)
      guard case .action(.notification(_, _, _, _, let message)) = command else { return nil }
      return message.isSilent
    }
    #expect(try isSilent(["message": ["data": ["url": "u"]]]) == true)
    #expect(try isSilent(["message": ["data": ["url": "u"]]], tap: true) == false)
    #expect(try isSilent(["message": ["notification": ["title": "t"], "data": ["url": "u"]]]) == false)
    #expect(try isSilent(["data": ["url": "u"]]) == false)
    #expect(try isSilent(["aps": ["content-available": 1]]) == true)
  }

  @Test func `a link of a message that is no string is a fault of the message`() throws {
    let request = try NotificationRequest(["message": ["data": ["url": 7, "category": false]]])
    #expect(
      throws: BodyFault.invalid([
        .init(pointer: "/message", detail: "must be a string, not integer"),
        .init(pointer: "/message", detail: "must be a string, not boolean"),
      ])
    ) { try request.command(NotificationDefinition(), tap: true, appState: .killed) }
  }

  @Test func `a definition's own member for the link replaces the usual ones`() throws {
    let definition = NotificationDefinition(linkPointers: ["/my/l~1ink"], categoryPointers: [])
    let request = try NotificationRequest(["my": ["l/ink": "mine"], "url": "usual", "category": 1])
    #expect(request.linkPointer(definition) == "/my/l~1ink")
    #expect(
      try request.command(definition, tap: true, appState: .killed)
        == .action(.notification(url: "mine", category: nil, tap: true, appState: .killed)))
  }
}
