// The steps, screens and facts of shop, written by cairn types. Not to be changed by hand.
// Definition: ea91f9f0e887a62210a8a03fba7380f28ebeeb10b10eac2e1b08ffa1759899c2

/// Any JSON value.
public indirect enum WireValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([WireValue])
  case object([String: WireValue])

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([WireValue].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: WireValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .bool(let bool): try value.encode(bool)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .string(let string): try value.encode(string)
    case .array(let array): try value.encode(array)
    case .object(let object): try value.encode(object)
    }
  }
}

/// A name as it is on the wire.
private struct WireName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }

  static func found(_ params: KeyedDecodingContainer<WireName>?) throws -> KeyedDecodingContainer<WireName> {
    if let params { return params }
    throw DecodingError.keyNotFound(WireName("params"), .init(codingPath: [], debugDescription: "params are missing"))
  }
}

/// A step that may be posted.
public enum Step: Encodable, Hashable, Sendable {
  case authIsComplete
  case moveToProduct(productId: Int)
  case productIsPicked(productId: Int)
  case signUpIsRequired
  case termsAreClosed
  case termsAreRequired

  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: WireName.self)
    switch self {
    case .authIsComplete:
      try object.encode("authIsComplete", forKey: WireName("step"))
    case .moveToProduct(let value0):
      try object.encode("moveToProduct", forKey: WireName("step"))
      var params = object.nestedContainer(keyedBy: WireName.self, forKey: WireName("params"))
      try params.encode(value0, forKey: WireName("productId"))
    case .productIsPicked(let value0):
      try object.encode("productIsPicked", forKey: WireName("step"))
      var params = object.nestedContainer(keyedBy: WireName.self, forKey: WireName("params"))
      try params.encode(value0, forKey: WireName("productId"))
    case .signUpIsRequired:
      try object.encode("signUpIsRequired", forKey: WireName("step"))
    case .termsAreClosed:
      try object.encode("termsAreClosed", forKey: WireName("step"))
    case .termsAreRequired:
      try object.encode("termsAreRequired", forKey: WireName("step"))
    }
  }
}

/// A screen as it stands in the stack, with its params.
public enum Screen: Decodable, Hashable, Sendable {
  case home
  case loading
  case product(productId: Int)
  case signUp
  case terms
  case welcome
  /// Of another version of the definition.
  case other(String)

  public init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: WireName.self)
    let name = try object.decode(String.self, forKey: WireName("screen"))
    switch name {
    case "home":
      self = .home
    case "loading":
      self = .loading
    case "product":
      let params = try? object.nestedContainer(keyedBy: WireName.self, forKey: WireName("params"))
      self = .product(productId: try WireName.found(params).decode(Int.self, forKey: WireName("productId")))
    case "signUp":
      self = .signUp
    case "terms":
      self = .terms
    case "welcome":
      self = .welcome
    default: self = .other(name)
    }
  }
}

/// The facts that a session shows.
public struct Facts: Codable, Hashable, Sendable {
  public var accessToken: Bool?

  public init(accessToken: Bool? = nil) {
    self.accessToken = accessToken
  }

  private enum CodingKeys: String, CodingKey {
    case accessToken = "accessToken"
  }
}

/// The facts that a session's own client may set.
public struct ClientFacts: Codable, Hashable, Sendable {

  public init() {
  }
}

#if canImport(CairnClient)
  public import CairnClient

  extension SessionClient {
    /// Sends a step from the screen that was visible at the call.
    @discardableResult
    public func step(_ step: Step) async throws(ClientError) -> ActionAnswer { try await self.step(encoded: step) }

    /// Sets facts.
    @discardableResult
    public func facts(_ facts: ClientFacts) async throws(ClientError) -> ActionAnswer { try await self.facts(encoded: facts) }
  }

  extension PredictedSession {
    /// Sends a step from the visible screen of the shown tree.
    @discardableResult
    public func step(_ step: Step, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
      try await self.step(encoded: step, queue: queue)
    }

    /// Sets facts.
    @discardableResult
    public func facts(_ facts: ClientFacts, queue: Bool = false) async throws(ClientError) -> ActionAnswer {
      try await self.facts(encoded: facts, queue: queue)
    }
  }
#endif
