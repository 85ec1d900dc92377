import CairnCore

/// A session's state in the form that a replica reads.
struct ReplicaReading {
  /// The hash of the session's definition.
  let definition: String
  /// The highest number of the client's actions that the state contains.
  let last: Int
  let revision: Int
  let state: [UInt8]
  /// The definition as the service sends it; empty unless it was read too.
  var text: [UInt8] = []
  /// The service's key for secret params; `nil` if the app has none.
  let sealingKey: String?

  /// Reads the state of a session. Returns `nil` if its app is not predicted, or if the formats of this client and the service differ.
  static func read(_ session: SessionClient, client: String) async throws(ClientError) -> ReplicaReading? {
    let answer: Wire.Answer
    do throws(ClientError) {
      answer = try await session.requests.get("/replica" + Query([("client", client)]).text)
    } catch {
      guard error.problem?.code == "not-predictable" else { throw error }
      return nil
    }
    let json = answer.json
    guard json["engine"] == .integer(Int(Reducer.engine)), json["format"] == .integer(ReplicaFormat.version) else { return nil }
    guard case .string(let definition)? = json["definition"], case .integer(let revision)? = json["revision"],
      case .string(let state)? = json["state"]
    else { throw .malformed("its replica has an unexpected form") }
    let last = if case .integer(let last)? = json["last"] { last } else { 0 }
    return ReplicaReading(
      definition: definition, last: last, revision: revision, state: Array(state.utf8), sealingKey: answer.headers["cairn-sealing-key"])
  }

  /// Reads a session's definition and state, and creates a replica from them. Returns `nil` if the app is not predicted, or if this client
  /// does not know a format or the definition's version.
  static func begin(_ session: SessionClient, client: String) async throws(ClientError) -> (reading: ReplicaReading, replica: Replica)? {
    guard var before = try await read(session, client: client) else { return nil }
    while true {
      let text = Array(try await session.requests.get("/definition").body)
      guard var reading = try await read(session, client: client) else { return nil }
      // The session may have moved to another definition since the first reading. The number of attempts is not limited, because a move
      // during each attempt is unlikely.
      guard reading.definition == before.definition else {
        before = reading
        continue
      }
      reading.text = text
      do throws(UnreadableFormat) {
        return (reading, try Replica(DefinitionFormat.read(text), state: reading.state))
      } catch {
        // The definition has a version that this client does not know.
        return nil
      }
    }
  }
}
