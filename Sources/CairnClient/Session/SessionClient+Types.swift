import CairnCore
import Foundation

// Methods for the types that `cairn types` generates.
extension SessionClient {
  /// Sends a step from the screen that was visible at the call. The step is encoded as an object with the members `step` and, if it has
  /// params, `params`; otherwise throws `unsendable`.
  @discardableResult
  public func step(encoded step: some Encodable & Sendable) async throws(ClientError) -> ActionAnswer {
    let step = try EncodedStep(step)
    return try await self.step(step.name, step.params)
  }

  /// Sets facts that the session's client may set. Throws `unsendable` unless the facts are encoded as an object.
  @discardableResult
  public func facts(encoded facts: some Encodable & Sendable) async throws(ClientError) -> ActionAnswer {
    try await self.facts(EncodedFacts(facts).members)
  }
}

extension PredictedSession {
  /// Sends a step from the visible screen of the shown tree, in the same way as `act`. The step is encoded as an object with the members
  /// `step` and, if it has params, `params`; otherwise throws `unsendable`.
  @discardableResult
  public func step(encoded step: some Encodable & Sendable, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
    let step = try EncodedStep(step)
    return try await self.step(step.name, step.params, queue: queue)
  }

  /// Sets facts that the session's client may set, in the same way as `act`. Throws `unsendable` unless the facts are encoded as an object.
  @discardableResult
  public func facts(encoded facts: some Encodable & Sendable, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
    try await act(.facts(EncodedFacts(facts).members), queue: queue)
  }
}

/// A step of a generated type.
private struct EncodedStep {
  let name: String
  var params: [String: Value] = [:]

  init(_ step: some Encodable) throws(ClientError) {
    let json = try Value(encoding: step)
    guard case .string(let name)? = json["step"] else { throw .unsendable("the encoded step has no member step with its name") }
    self.name = name
    if case .object(let params)? = json["params"] { self.params = params }
  }
}

/// Facts of a generated type.
private struct EncodedFacts {
  let members: [String: Value]

  init(_ facts: some Encodable) throws(ClientError) {
    guard case .object(let members) = try Value(encoding: facts) else { throw .unsendable("the encoded facts are not a JSON object") }
    self.members = members
  }
}

extension Value {
  fileprivate init(encoding body: some Encodable) throws(ClientError) {
    do {
      self = try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(body))
    } catch {
      throw .unsendable("it contains a value that JSON cannot represent")
    }
  }
}
