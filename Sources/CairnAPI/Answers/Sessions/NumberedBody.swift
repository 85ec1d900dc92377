package import CairnCore

/// The response to numbered actions.
package struct NumberedBody: JSONWritable, Sendable {
  /// The response to each action, in the order of the actions.
  package var answers: [Answer]
  package var revision: Int
  package var seen: Seen
  /// The members that the client asked for with `include`; `nil` if the client asked for no members.
  package var included: IncludedMembers?

  package enum Answer: Sendable {
    /// A stored response: the bytes of a `NumberedItemBody`. `replica` is added to the stored object as a member; `nil` if the client did not ask for
    /// the replica, or if the entry has no difference.
    case stored([UInt8], replica: ReplicaBody?)
    /// The action with this number ran earlier, and its response is no longer stored.
    case known(WideInt)
    /// The action did not run because of this problem.
    case notRun(WideInt, Problem)
  }

  package init(answers: [Answer], revision: Int, seen: Seen, included: IncludedMembers? = nil) {
    self.answers = answers
    self.revision = revision
    self.seen = seen
    self.included = included
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("answers")
    writer.beginArray()
    for answer in answers {
      switch answer {
      case .stored(let bytes, let replica): Self.write(bytes, replica, to: &writer)
      case .known(let number):
        writer.beginObject()
        writer.member("number", number)
        writer.member("outcome", "known")
        writer.member("revision", revision)
        writer.endObject()
      case .notRun(let number, let problem):
        NumberedItemBody(number, .refused(problem)).write(to: &writer)
      }
    }
    writer.endArray()
    writer.member("revision", revision)
    seen.writeMembers(to: &writer)
    included?.write(to: &writer)
    writer.endObject()
  }
}

extension NumberedBody {
  private static func write(_ stored: [UInt8], _ replica: ReplicaBody?, to writer: inout JSONWriter) {
    // The stored object may end with a line feed. The member is inserted before its closing brace.
    let open = stored[..<(stored.lastIndex(of: UInt8(ascii: "}")) ?? stored.endIndex)]
    writer.raw(Array(open))
    writer.member("replica", ifPresent: replica)
    writer.endObject()
  }

  static let schema = Schema.object(
    [
      Property("answers", .list(of: .object(itemMembers)), "The responses, in the order of the actions."),
      Property("revision", .shared(.revision)),
      Property("visible", .orNull(.shared(.route))), .maybe("stack", .shared(.stack)), .maybe("tree", .shared(.node)),
    ] + SessionBody.included
  ).about("The responses to numbered actions.")

  private static let itemMembers = [
    Property("number", .whole(from: 1), "The action's number."),
    .maybe(
      "outcome", .words(["performed", "unchanged", "pending", "known"]),
      "The outcome of the action. known: an earlier request contained an action with this number, and its response is no longer stored."),
    .maybe("created", .list(of: .shared(.nodeID)), "Ids of the nodes that the action created, in order of creation."),
    .maybe(
      "error", .shared(.problem),
      "The problem, if the action was refused or did not run. With status 503, it did not run and can be posted again."),
    .maybe("reason", .text), .maybe("link", .shared(.linkID)), .maybe("events", .list(of: .shared(.event))),
    .maybe("changes", .list(of: .shared(.change))), .maybe("revision", .shared(.revision)), ReplicaBody.ofEntry,
  ]
}
