/// The identity of a node: `n` and a number that is never used again in its session.
public struct NodeID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let number: Int

  public init(_ number: Int) { self.number = number }

  /// Reads `n7`; nil for anything else.
  public init?(_ text: some StringProtocol) {
    guard text.first == "n", let number = Int(text.dropFirst()), number > 0, text.dropFirst().first != "+" else { return nil }
    self.number = number
  }

  public var description: String { "n\(number)" }

  public static func < (left: NodeID, right: NodeID) -> Bool { left.number < right.number }
}

extension NodeID: Codable {
  public init(from decoder: any Decoder) throws {
    let text = try String(from: decoder)
    guard let id = NodeID(text) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a node id: \(text)"))
    }
    self = id
  }

  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension NodeID: CodingKeyRepresentable {
  public var codingKey: any CodingKey { Key(stringValue: description) }

  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

/// An instance of a screen or flow in a session's tree.
public struct Node: Hashable, Sendable, Codable, Identifiable {
  public let id: NodeID
  public var kind: Kind
  /// The screen's name; for a container the flow's. A `screen` flow is named by its screen.
  public var name: String
  /// The flow that this node is an instance of; nil for a screen (and for the master pane of a split).
  public var flow: String?
  /// The flow instance that contributed it: it hears the node's steps; for a flow, its parent flow. nil: the root.
  public var owner: NodeID?
  /// The container, or who presents it. nil: the root.
  public var parent: NodeID?
  public var children: [NodeID] = []
  public var selected: Int?
  public var presented: NodeID?
  public var style: PresentationStyle?
  /// The screen that asked for it, when it was presented `on: screen`.
  public var on: NodeID?
  public var params: [String: Value] = [:]
  public var content: Content?
  public var ended: Bool = false
  public var listen: Listen = Listen()
  public var left: StepTemplate?
  /// The OAuth state of the authorize URL that this node carries: valid while the node lives.
  public var authorization: String?

  public enum Kind: String, Hashable, Sendable, Codable {
    case stack, tabs, split, screen, alert
    case oneOf = "switch"
  }

  public init(id: NodeID, kind: Kind, name: String, flow: String? = nil, owner: NodeID?, parent: NodeID?) {
    self.id = id
    self.kind = kind
    self.name = name
    self.flow = flow
    self.owner = owner
    self.parent = parent
  }

  /// A screen or alert: it shows something itself.
  public var isLeaf: Bool { kind == .screen || kind == .alert }

  /// The child in front: the top of a stack, the selected tab, the child of a switch, the detail of a split.
  public var front: NodeID? {
    switch kind {
    case .tabs: selected.flatMap { children.indices.contains($0) ? children[$0] : nil }
    default: children.last
    }
  }
}

/// What a load or a `content` operation wrote to a node.
public struct Content: Hashable, Sendable, Codable {
  public var status: ContentStatus
  public var value: Value?
  public var error: String?

  public init(status: ContentStatus, value: Value? = nil, error: String? = nil) {
    self.status = status
    self.value = value
    self.error = error
  }
}

extension Content {
  /// A value that is null is a value: what is stored and read again is the same.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    status = try members.decode(ContentStatus.self, forKey: .status)
    value = members.contains(.value) ? try members.decode(Value.self, forKey: .value) : nil
    error = try members.decodeIfPresent(String.self, forKey: .error)
  }
}

public enum ContentStatus: String, Hashable, Sendable, Codable, CaseIterable {
  case idle, loading, loaded, failed
}
