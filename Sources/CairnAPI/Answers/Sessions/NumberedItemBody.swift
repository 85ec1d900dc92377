package import CairnCore

/// The stored response to one numbered action.
package struct NumberedItemBody: JSONWritable, Sendable {
  package var number: WideInt
  package var result: Result

  package enum Result: Sendable {
    /// The action ran. `created` contains the nodes that the action created, in the order of their creation. `revision` is the session's
    /// revision after the action.
    case ran(Transition, created: [NodeID], revision: Int)
    case refused(Problem)
  }

  package init(_ number: WideInt, _ result: Result) {
    self.number = number
    self.result = result
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("number", number)
    switch result {
    case .ran(let transition, let created, let revision):
      writer.member("created", created)
      transition.writeMembers(to: &writer)
      writer.member("revision", revision)
    case .refused(let problem): writer.member("error", problem)
    }
    writer.endObject()
  }

  /// Returns the nodes that an action created, read from its stored response; empty if the action created no nodes or was refused.
  package static func created(in body: [UInt8]) -> [NodeID] {
    // `JSONBody` cannot read the response, because a stored response may be nested more deeply than a request.
    let value = try? JSONElement.reading(body) { $0.value }
    guard case .array(let ids)? = value?["created"] else { return [] }
    return ids.compactMap { if case .string(let id) = $0 { NodeID(id) } else { nil } }
  }
}
