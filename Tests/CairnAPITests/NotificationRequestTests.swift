import CairnAPI
import CairnCore
import Testing

@Suite struct `Request bodies of notifications` {
  private func id(_ body: Value, at pointer: String) -> Result<String?, BodyFault> {
    do throws(BodyFault) { return .success(try NotificationRequest(body).id(at: pointer)) } catch { return .failure(error) }
  }

  @Test(
    arguments: [
      (["id": "m1"], "m1"), (["id": 7], "7"), (["id": -7], "-7"), (["id": ""], nil), (["id": .null], nil), ([:], nil),
      (["id": .string(String(repeating: "x", count: 255))], String(repeating: "x", count: 255)),
    ] as [(Value, String?)]) func `an id is a string or an integer, or absent`(body: Value, expected: String?)
  {
    #expect(id(body, at: "/id") == .success(expected))
  }

  @Test(
    arguments: [
      (.number(1.5), "be a string or a whole number, not number"), (true, "be a string or a whole number, not boolean"),
      ([], "be a string or a whole number, not array"), (.string(String(repeating: "é", count: 128)), "have at most 255 bytes"),
    ] as [(Value, String)]) func `an id of another type is a fault at its position`(value: Value, text: String)
  {
    let detail = "is the message's id, so it must \(text)"
    #expect(id(["id": value], at: "/id") == .failure(.invalid([.init(pointer: "/id", detail: detail)])))
    let message: Value = ["message": ["data": ["id": value]]]
    #expect(id(message, at: "/id") == .failure(.invalid([.init(pointer: "/message", detail: detail)])))
  }

  @Test func `members of a message precede those of the payload for Apple, then come its data for Android and its data`() throws {
    let request = try NotificationRequest([
      "message": [
        "name": "own", "apns": ["payload": ["name": "apple", "aps": ["category": "c"], "url": "apple"]],
        "android": ["data": ["name": "android", "more": "a", "url": "android"]], "data": ["name": "data", "url": "data", "more": "d"],
      ]
    ])
    #expect(request.isMessage)
    #expect(request.payload["name"] == "own" && request.payload["url"] == "apple" && request.payload["more"] == "a")
    #expect(request.payload["data"] == ["name": "data", "url": "data", "more": "d"])
  }

  @Test func `layers that are not objects are ignored`() throws {
    let request = try NotificationRequest(["message": ["data": "x", "apns": ["payload": [1]], "url": "u"]])
    #expect(request.payload["url"] == "u")
  }

  @Test func `the pressed button and the reply are part of the command`() throws {
    let request = try NotificationRequest(["url": "u"], action: "reply", reply: "hello")
    let command = try request.command(NotificationDefinition(), tap: false, appState: .foreground)
    #expect(
      command
        == .action(
          .notification(
            url: "u", category: nil, tap: true, appState: .foreground, Action.Message(action: "reply", reply: "hello"))))
  }

  @Test func `a message with only data is silent`() throws {
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

  @Test func `a link of a message that is not a string is a fault of the message, if the definition names its place`() throws {
    let request = try NotificationRequest(["message": ["data": ["url": 7, "category": false]]])
    let command = try request.command(NotificationDefinition(), tap: true, appState: .killed)
    #expect(command == .action(.notification(url: nil, category: nil, tap: true, appState: .killed)))
    let definition = NotificationDefinition(linkPointers: ["/data/link", "/data/url"], categoryPointers: ["/data/category"])
    #expect(
      throws: BodyFault.invalid([
        .init(pointer: "/message", detail: "must be a string, not integer"),
        .init(pointer: "/message", detail: "must be a string, not boolean"),
      ])
    ) { try request.command(definition, tap: true, appState: .killed) }
  }

  @Test func `a configured member for the link replaces the usual ones`() throws {
    let definition = NotificationDefinition(linkPointers: ["/my/l~1ink"], categoryPointers: [])
    let request = try NotificationRequest(["my": ["l/ink": "mine"], "url": "usual", "category": 1])
    #expect(request.linkPointer(definition) == "/my/l~1ink")
    #expect(
      try request.command(definition, tap: true, appState: .killed)
        == .action(.notification(url: "mine", category: nil, tap: true, appState: .killed)))
  }
}
