/// What a node answers to a gesture that would take it away (UIKit's `isModalInPresentation`, Android's predictive back): asked before, where
/// `left` is told after.
public enum Leave: Hashable, Sendable {
  /// It stays: the gesture is refused.
  case refuse
  /// It stays for now, and this step is sent in the gesture's place.
  case ask(StepTemplate)
}

extension Leave {
  /// The step that is sent; nil: it only stays.
  public var step: StepTemplate? { if case .ask(let step) = self { step } else { nil } }
}

extension Leave: Codable {
  /// How `refuse` is called wherever a step could stand.
  package static let word = "none"

  public init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self), text == Self.word {
      self = .refuse
    } else {
      self = .ask(try StepTemplate(from: decoder))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .refuse:
      var value = encoder.singleValueContainer()
      try value.encode(Self.word)
    case .ask(let step): try step.encode(to: encoder)
    }
  }
}

extension Definition {
  /// Whether any node that it makes is asked before a gesture takes it away.
  var hasLeave: Bool {
    flows.values.contains { flow in
      let made = flow.handle.values.flatMap(\.branches).flatMap(\.operations).flatMap(\.parts.makes)
      return (flow.arrivals + made).contains { $0.contribution.leave != nil }
    }
  }
}
