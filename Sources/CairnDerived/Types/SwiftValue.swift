extension AppTypes {
  /// The beginning of every generated Swift file: a type for any JSON value, and one for coding keys.
  static let swiftValue = """
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

    """

  /// The end of every generated Swift file: methods of the client's sessions.
  static let swiftMethods = """
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
    """
}
