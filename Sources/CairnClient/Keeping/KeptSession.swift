import CairnAPI
import CairnCore

/// The content of a session's file.
struct KeptSession: Sendable {
  /// The version of the file's format.
  static let format = 1

  /// The service's address.
  var service: String
  /// The session's id.
  var id: String
  /// The client's id, and the next number of its actions.
  var client: String
  var next = 1
  /// The session's secret; `nil` unless `SessionKeeping.remembersSecret` is set and the user has not logged out.
  var secret: String?
  /// Whether the user was logged out, so that the secret is not stored again.
  var isSecretForgotten = false
  /// Whether the session has ended, so that only its groups are left.
  var isOver = false
  var sealingKey: SealingKey?
  /// The waiting actions, in order.
  var pending: [QueuedAction] = []
  var groups: [KeptGroup] = []
  var lastRefusal: RefusedGroups.Last?
  /// The names of nodes in the waiting actions and groups.
  var names: [NodeNames.Name: NodeID] = [:]
  var replica: KeptReplica?

  /// The confirmed state, and the other data from which a replica is created.
  struct KeptReplica: Sendable {
    /// The hash of the definition.
    var definition: String
    var text: [UInt8]
    var state: Snapshot
    /// The covers of the pages on which the waiting actions were made, as `Replica.writeCovers` writes them.
    var covers: [UInt8]
    /// The highest number of this client's actions that the state contains.
    var last: Int

    /// A state, or its text. A state becomes text only on the thread that writes the file.
    enum Snapshot: Sendable {
      case state(State)
      case text([UInt8])

      var bytes: [UInt8] {
        switch self {
        case .state(let state): StateFormat.snapshot(state)
        case .text(let bytes): bytes
        }
      }
    }

    /// A replica without pending actions; `nil` if the state or the definition cannot be read.
    var resumed: Replica? {
      do throws(UnreadableFormat) {
        var replica = try Replica(DefinitionFormat.read(text), state: state.bytes)
        try replica.setCovers(covers)
        return replica
      } catch {
        return nil
      }
    }
  }

  /// Whether the file can be deleted, because the session has ended and has no groups.
  var isEmpty: Bool { isOver && groups.isEmpty }

  /// The text of the file: one JSON object per line. The state is the last line: if this line is truncated, the state can be read from the
  /// service.
  var bytes: [UInt8] {
    var head: [String: Value] = [
      "cairn": "session", "format": .integer(Self.format), "service": .string(service), "id": .string(id), "client": .string(client),
      "next": .integer(next), "pending": .integer(pending.count), "groups": .integer(groups.count), "hasState": .bool(replica != nil),
    ]
    head["secret"] = secret.map(Value.string)
    if isSecretForgotten { head["isSecretForgotten"] = true }
    if isOver { head["isOver"] = true }
    head["sealing"] = sealingKey.map { ["key": .string($0.text), "at": .integer($0.at)] }
    head["lastRefusal"] = lastRefusal.map { ["group": .string($0.group), "below": .integer($0.below)] }
    if !names.isEmpty { head["names"] = .array(names.map { [$0.key.json, .string($0.value.description)] }) }
    let lines = [Value.object(head)] + pending.map(Self.line) + groups.map(Self.line) + (replica.map { [Self.line($0)] } ?? [])
    // A line with a number that JSON cannot represent is omitted. Its action is refused when it is sent.
    return lines.flatMap { (try? JSONText.bytes($0)) ?? [] }
  }

  private static func line(_ item: QueuedAction) -> Value {
    ["action": item.posted, "number": .integer(item.number), "at": .integer(item.at), "definition": .string(item.definition)]
  }

  private static func line(_ group: KeptGroup) -> Value {
    var members: [String: Value] = [
      "group": .string(group.id), "session": .string(group.session), "client": .string(group.client), "at": .integer(group.at),
      "code": .string(group.code),
      "actions": .array(
        group.items.map { item in
          var members: [String: Value] = [
            "number": .integer(item.number), "at": .integer(item.at), "definition": .string(item.definition),
          ]
          members["action"] = item.action
          if item.mayHaveRun { members["mayHaveRun"] = true }
          return .object(members)
        }),
    ]
    members["detail"] = group.detail.map(Value.string)
    return .object(members)
  }

  private static func line(_ replica: KeptReplica) -> Value {
    func text(_ bytes: [UInt8]) -> Value { .string(String(decoding: bytes, as: UTF8.self)) }
    return [
      "definition": .string(replica.definition), "engine": .integer(Int(Reducer.engine)), "format": .integer(ReplicaFormat.version),
      "last": .integer(replica.last), "text": text(replica.text), "state": text(replica.state.bytes),
      "covers": text(replica.covers),
    ]
  }
}
