import CairnAPI
import CairnCore
import Foundation

/// Posts that are sent in one request, with consecutive numbers of the client. If the request is repeated, each post still runs only once.
struct NumberedPosts {
  let client: String
  /// The number of the first post.
  let first: Int
  /// The hash of the definition for which the actions were made; `nil` stands for the session's current definition.
  var definition: String?
  /// The posts in order, each with the id of the call that waits for it.
  let items: [(id: Int, post: Post)]

  /// The maximum number of actions per request, and the maximum number of bytes in their bodies. The service accepts 100 actions in 256
  /// KiB.
  private static let most = (actions: 100, bytes: 200_000)

  /// The number of posts at the front of a queue that can be sent together in one request. It is 0 if the first post must be sent in its
  /// own request.
  static func count(_ queue: [Post]) -> Int {
    var bytes = 0
    let together = queue.prefix { post in
      bytes += post.request.body?.count ?? 0
      return post.action != nil && bytes <= most.bytes
    }
    return min(together.count, most.actions)
  }

  /// A new id of a client: 128 random bits.
  static func newClient() -> String { (0..<16).map { _ in String(Int.random(in: 256..<512), radix: 16).dropFirst() }.joined() }

  func dropFirst(_ count: Int) -> NumberedPosts {
    NumberedPosts(client: client, first: first + count, definition: definition, items: Array(items.dropFirst(count)))
  }

  /// The request. `now` is the current time in milliseconds since 1970, by the same clock as the actions' `at`; `nil` if no action has
  /// `at`.
  func request(now: Int? = nil) throws(ClientError) -> Wire.Call {
    var body: [String: Value] = [
      "client": .string(client), "first": .integer(first), "actions": .array(items.compactMap(\.post.action)),
    ]
    body["definition"] = definition.map(Value.string)
    body["now"] = now.map(Value.integer)
    let alone = items[0].post.request
    var call = try Wire.Call("POST", alone.path, json: .object(body), credential: alone.credential)
    call.headers["Prefer"] = alone.headers["Prefer"]
    return call
  }

  /// Returns the results of the posts, as if each post had been sent in its own request. Only the result of the last accepted post contains
  /// the session's tree. If the earlier posts took too long, the service did not run the later posts, and the array ends before their
  /// results. Throws if the response does not have one element for each post.
  func ends(_ answer: Wire.Answer) throws(ClientError) -> [Result<Wire.Answer, ClientError>] {
    guard case .object(let whole) = answer.json, case .array(let answers)? = whole["answers"], answers.count == items.count else {
      throw .malformed("the answers do not have one element for each of the \(items.count) actions")
    }
    let ran = answers.prefix(1) + answers.dropFirst().prefix { Self.status(ofRefusal: $0) != 503 }
    let last = ran.lastIndex { Self.status(ofRefusal: $0) == nil }
    var ends: [Result<Wire.Answer, ClientError>] = []
    for (place, one) in ran.enumerated() {
      guard case .object(var members) = one else { throw .malformed("an element of the answers is not an object") }
      if let status = Self.status(ofRefusal: one) {
        ends.append(.failure(.refused(ServiceProblem(try Self.answer(members["error"] ?? .null, status)))))
        continue
      }
      if members["outcome"] == "known" {
        ends.append(.failure(.refused(ServiceProblem(try Self.answer(Self.forgotten, 409)))))
        continue
      }
      if place == last { for name in ["tree", "stack", "visible"] { members[name] = whole[name] } }
      for name in ["events", "changes"] where members[name] == nil { members[name] = [] }
      ends.append(.success(try Self.answer(.object(members), 200)))
    }
    return ends
  }

  /// The problem of an action that was processed, but whose response has expired.
  private static let forgotten: Value = [
    "code": "response-forgotten", "status": 409,
    "detail": "the action was processed earlier, and its response has expired: read the session",
  ]

  private static func status(ofRefusal answer: Value) -> Int? {
    guard case .object(let members) = answer, case .object(let problem)? = members["error"] else { return nil }
    if case .integer(let status)? = problem["status"] { return status }
    return 0
  }

  private static func answer(_ json: Value, _ status: Int) throws(ClientError) -> Wire.Answer {
    do {
      return Wire.Answer(status: status, headers: [:], body: Data(try JSONText.bytes(json)))
    } catch {
      throw .malformed("it contains a number that JSON cannot represent")
    }
  }
}
