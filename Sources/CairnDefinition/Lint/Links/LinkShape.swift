import CairnCore

/// The paths that a link accepts, with the types of its captures. A path with optional segments has several shapes.
struct LinkShape: Hashable {
  var segments: [Segment]
  /// The types of the rest capture at the end; `nil` if the path does not end with a rest capture.
  var rest: Types?

  enum Segment: Hashable {
    case literal(String)
    case capture(Types)
  }

  /// The types to which a captured text must be convertible.
  struct Types: Hashable {
    private var types: Set<ParameterDefinition>

    /// Creates the set of these types, without those that accept any text.
    init(_ types: [ParameterDefinition]) {
      self.types = Set(types.filter { $0.allowed != nil || $0.bounds != nil || ($0.kind != .any && $0.kind != .string) })
    }

    var isAny: Bool { types.isEmpty }

    /// Whether these types accept every text that `other` accepts.
    func covers(_ other: Types) -> Bool { types.isSubset(of: other.types) }

    func takes(_ text: String) -> Bool { types.allSatisfy { $0.fault(of: $0.read(text)) == nil } }
  }

  /// The positions and types of the captures, without the literals. The number of distinct masks is small, even for thousands of links.
  var mask: LinkShape {
    LinkShape(segments: segments.map { if case .literal = $0 { .literal("") } else { $0 } }, rest: rest)
  }

  /// This shape with the mask's captures instead of the segments that they cover; `nil` if shapes with that mask do not accept all paths of this
  /// shape.
  func masked(by mask: LinkShape) -> LinkShape? {
    guard segments.count >= mask.segments.count else { return nil }
    if let rest = mask.rest {
      let left = segments.dropFirst(mask.segments.count)
      guard rest.isAny || (left.isEmpty && self.rest == rest) else { return nil }
    } else if rest != nil || segments.count != mask.segments.count {
      return nil
    }
    var masked = LinkShape(segments: [], rest: mask.rest)
    for (segment, cover) in zip(segments, mask.segments) {
      switch (segment, cover) {
      case (.literal, .literal): masked.segments.append(segment)
      case (.literal(let text), .capture(let types)):
        guard types.takes(text) else { return nil }
        masked.segments.append(cover)
      case (.capture(let own), .capture(let types)):
        guard types.covers(own) else { return nil }
        masked.segments.append(cover)
      case (.capture, .literal): return nil
      }
    }
    return masked
  }
}

extension LinkDefinition {
  /// The shapes of the link's path.
  func shapes(in definition: Definition) -> [LinkShape] {
    var shapes: [LinkShape] = []
    var shape = LinkShape(segments: [], rest: nil)
    for segment in path {
      switch segment {
      case .literal(let text): shape.segments.append(.literal(text))
      case .capture(let name): shape.segments.append(.capture(types(of: name, in: definition)))
      case .optional(let name):
        shapes.append(shape)
        shape.segments.append(.capture(types(of: name, in: definition)))
      case .rest(let name): shape.rest = types(of: name, in: definition)
      }
    }
    return shapes + [shape]
  }

  /// Whether the link may reject a URL because of its query items.
  func isChoosyOfQuery(in definition: Definition) -> Bool {
    steps.contains { template in
      let params = definition.steps[template.step]?.params ?? [:]
      return template.with.contains { name, expression in
        guard case .reference(.param(let capture)) = expression, query.contains(capture), let type = params[name] else { return false }
        return !LinkShape.Types([type]).isAny || (!type.isOptional && type.defaultValue == nil)
      }
    }
  }

  /// The types of the params that receive the captured text unchanged.
  private func types(of capture: String, in definition: Definition) -> LinkShape.Types {
    LinkShape.Types(
      steps.flatMap { template in
        template.with.compactMap { name, expression in
          guard case .reference(.param(capture)) = expression else { return nil }
          return definition.steps[template.step]?.params[name]
        }
      })
  }
}
