import CairnCore
import Foundation

/// The refused actions of a session in groups. A group contains a refused action, and the later waiting actions that depended on it. It exists until the app
/// retries or discards it.
struct RefusedGroups: Sendable {
  /// The maximum number of groups. Beyond it, the oldest group is discarded.
  static let most = 200

  /// The reason why an action was refused, or had no response.
  struct Reason {
    var code: String
    var detail: String
    /// Whether the session has ended, so that the responses to the last requests are missing.
    var isOver = false
  }

  /// The last refusal. Later waiting actions may have depended on the refused action.
  struct Last: Sendable {
    var group: String
    /// The next number of the client at the refusal: actions with lower numbers were already waiting.
    var below: Int
  }

  /// The groups, the oldest first, including those of other sessions in the same file.
  private(set) var all: [KeptGroup]
  private(set) var last: Last?
  private let session: String
  private let client: String

  /// The codes of an action that is refused because its place in the tree is missing or covered. If an earlier action of the same queue was
  /// refused, that action may be the one that would have created or uncovered the place.
  private static let ofPlace: Set<String> = Set(
    [
      .hidden, .dismissed, .flowGone, .screenNotFound, .noStack, .noTabs, .noSwitch, .alreadyPresenting, .questionGone,
    ].map { (code: Refusal.Code) in code.rawValue })

  init(session: String, client: String, _ all: [KeptGroup] = [], last: Last? = nil) {
    (self.session, self.client, self.all, self.last) = (session, client, all, last)
  }

  /// The groups with at least one action that may be stored.
  var kept: [KeptGroup] { all.filter(\.hasContent) }

  /// The groups of this session that the app can retry or discard.
  var own: [KeptGroup] { kept.filter { $0.session == session } }

  /// Adds a refused action, and returns the id of its group. The content of an action that may not be stored is omitted. `whole` is the
  /// group of the preceding action if their request was refused as a whole; otherwise `nil`. `next` is the next number of the client, and
  /// `now` the client's time in milliseconds since 1970.
  mutating func add(_ item: QueuedAction, _ reason: Reason, with whole: String? = nil, next: Int, now: Int) -> String {
    let place = placeOfGroup(of: item, reason, whole) ?? begin(item, reason, now)
    let mayHaveRun = reason.isOver && item.isSent
    all[place].items.append(
      KeptGroup.Item(
        number: item.number, at: item.at, action: item.isStored ? item.content : nil, definition: item.definition, mayHaveRun: mayHaveRun))
    last = Last(group: all[place].id, below: next)
    return all[place].id
  }

  private func placeOfGroup(of item: QueuedAction, _ reason: Reason, _ whole: String?) -> Int? {
    let named = Set(NodeNames.names(in: item.posted).map(\.action))
    if let place = all.firstIndex(where: { $0.client == client && $0.items.contains { named.contains($0.number) } }) { return place }
    let earlier = last.flatMap { item.number < $0.below ? $0.group : nil }
    guard let group = whole ?? (Self.ofPlace.contains(reason.code) ? earlier : nil) else { return nil }
    return all.firstIndex { $0.id == group }
  }

  private mutating func begin(_ item: QueuedAction, _ reason: Reason, _ now: Int) -> Int {
    // The detail may quote a value of the action.
    let detail = item.isStored ? reason.detail : nil
    all.append(
      KeptGroup(id: UUID().uuidString.lowercased(), session: session, client: client, at: now, code: reason.code, detail: detail))
    return all.count - 1
  }

  /// Removes the groups without content once no waiting action can depend on them, and the oldest groups if there are too many. Returns whether there were too
  /// many.
  mutating func tidy(isQueueEmpty: Bool) -> Bool {
    if isQueueEmpty { all.removeAll { !$0.hasContent } }
    let surplus = kept.count - Self.most
    guard surplus > 0 else { return false }
    let oldest = Set(kept.prefix(surplus).map(\.id))
    all.removeAll { oldest.contains($0.id) }
    return true
  }

  mutating func remove(_ id: String) { all.removeAll { $0.id == id } }
}
