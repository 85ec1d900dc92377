import CairnCore
import Foundation

// For the types that `cairn types` writes.
extension SessionClient {
  /// Sends a step from the screen that was visible at the call. Its encoded form has the members `step` and, if there are any, `params`.
  @discardableResult
  public func step(encoded step: some Encodable & Sendable) async throws(ClientError) -> ActionAnswer {
    let json = try Self.json(step)
    guard case .string(let name)? = json["step"] else { throw .malformed("a step without a name") }
    guard case .object(let params)? = json["params"] else { return try await self.step(name) }
    return try await self.step(name, params)
  }

  /// Sets facts that the session's client may set. Their encoded form is an object.
  @discardableResult
  public func facts(encoded facts: some Encodable & Sendable) async throws(ClientError) -> ActionAnswer {
    guard case .object(let members) = try Self.json(facts) else { throw .malformed("facts that are no object") }
    return try await self.facts(members)
  }

  private static func json(_ body: some Encodable) throws(ClientError) -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(body))
    } catch {
      throw .malformed("a value that JSON has not")
    }
  }
}
