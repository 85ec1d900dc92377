import CairnCore

// The waiting actions of a predicted session.
extension [QueuedAction] {
  /// Maximum number of actions that wait for the service.
  private static let most = 2_000
  /// If the first action has waited longer than this time, in milliseconds, no further action is queued.
  private static let longest = Definition.usualOfflineFor

  /// The reason why a number of further actions cannot be queued; `nil` if they can be queued.
  func obstacle(count added: Int = 1, now: Int) -> ClientError? {
    if count + added > Self.most { return .unreachable("at most \(Self.most) actions wait for the service") }
    let isOld = first.map { now - $0.at > Self.longest } == true
    return isOld ? .unreachable("an action has waited for the service for \(Self.longest / 86_400_000) days") : nil
  }

  /// Whether ticks may be queued. Half of the queue is reserved for the user's actions.
  var hasRoomForTicks: Bool { count < Self.most / 2 }

  /// The actions at the front of the queue that fit into one request. They have consecutive numbers and the same definition. `isAlone` is
  /// whether the first action must be sent in its own request. The queue must not be empty.
  func posts(of session: SessionClient, client: String, isAlone: Bool) -> NumberedPosts {
    let first = self[0]
    var call = Wire.Call("POST", session.requests.path + "/actions", credential: session.secret)
    call.headers["Prefer"] = "return=minimal, replica"
    let items = enumerated().prefix { place, item in item.number == first.number + place && item.definition == first.definition }
    let posts = items.map { ($0.element.number, Post(request: call, action: $0.element.posted)) }
    let count = isAlone ? 1 : Swift.max(1, NumberedPosts.count(posts.map(\.1)))
    return NumberedPosts(
      client: client, first: first.number, definition: first.definition, items: posts.prefix(count).map { (id: $0, post: $1) })
  }
}
