import CairnAPI
import CairnCore
import Testing

@Suite struct `Request bodies of creations` {
  @Test func `requests, environment and a notification are read`() throws {
    let request = try CreationRequest(["app": "a", "requests": "manual", "environment": ["A": "x"], "notification": ["aps": [:]]])
    #expect(request.isManualRequests && request.environment == ["A": "x"] && request.arrival == .notification(["aps": [:]]))
  }

  @Test func `explicit default values are accepted`() throws {
    let request = try CreationRequest(["app": "a", "requests": "sent", "clock": "system"])
    #expect(request == (try CreationRequest(["app": "a"])))
  }

  @Test func `a variable that is not a string is reported by name, and a long name is truncated`() {
    let name = String(repeating: "N", count: 100)
    let read = fault { () throws(BodyFault) in try CreationRequest(["app": "a", "environment": [name: 1, "A": .null]]) }
    #expect(
      read
        == .invalid([
          .init(pointer: "/environment", detail: "A must be a string, not null"),
          .init(pointer: "/environment", detail: "\(name.prefix(64)) must be a string, not integer"),
        ]))
  }

  @Test func `a label is counted in Unicode scalars, as the schema counts it`() throws {
    let label = String(repeating: "e\u{301}", count: 100)
    #expect(try CreationRequest(["app": "a", "label": .string(label)]).label == label)
    let read = fault { () throws(BodyFault) in try CreationRequest(["app": "a", "label": .string(label + "x")]) }
    #expect(read == .invalid([.init(pointer: "/label", detail: "must have at most 200 characters")]))
  }

  @Test func `a body that is not an object is rejected`() {
    for body: Value in [[], "a", .null, 1] {
      guard case .wrongShape(let text)? = fault({ () throws(BodyFault) in try CreationRequest(body) }) else {
        Issue.record("\(body) was read")
        continue
      }
      #expect(text.hasSuffix("not \(body.kindName)"))
    }
  }
}
