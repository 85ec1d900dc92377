import CairnCore

extension Guard {
  /// A short description for people, such as `isKnown`, `$id = 1` or `not visible home`.
  var shortText: String {
    switch self {
    case .fact(let name, let test), .flowFact(let name, let test): "\(name)\(test.shortText)"
    case .param(let name, let test): "$\(name)\(test.shortText)"
    case .content(let path, let test, let place): "\(Self.content(of: place)).\(path.joined(separator: "."))\(test.shortText)"
    case .status(let status, let place): "\(Self.content(of: place)) \(status.rawValue)"
    case .result(let path, let test): "result.\(path.joined(separator: "."))\(test.shortText)"
    case .visible(let screens, let with): Self.screens("visible", screens, with)
    case .screen(let screens, let with): Self.screens("screen", screens, with)
    case .flow(let name, let with): Self.screens("flow", [name], with)
    case .between(let start, let end, let zone): "it is between \(Self.clock(start)) and \(Self.clock(end)) in \(zone.shortText)"
    case .passed(let value, 0): "\(value.shortText) has passed"
    case .passed(let value, let before): "\(value.shortText) has passed, or comes within \(DurationText.written(before))"
    case .all(let guards): guards.map(\.innerText).joined(separator: " and ")
    case .any(let guards): guards.map(\.innerText).joined(separator: " or ")
    case .not(let inner): "not \(inner.innerText)"
    }
  }

  private static func content(of place: Place?) -> String { place.map { "content(\($0.shortText))" } ?? "content" }

  private static func screens(_ word: String, _ screens: [String], _ with: [String: Expression]) -> String {
    "\(word) \(screens.joined(separator: " | "))" + (with.isEmpty ? "" : "(\(with.keys.sorted().joined(separator: ", ")))")
  }

  /// The screens of which at least one is visible whenever the condition is true; `nil` if the condition implies no such screens.
  var visibleScreens: Set<String>? {
    switch self {
    case .visible(let screens, _): return Set(screens)
    case .all(let guards):
      let sets = guards.compactMap(\.visibleScreens)
      return sets.dropFirst().reduce(sets.first) { $0?.intersection($1) }
    case .any(let guards):
      let sets = guards.map(\.visibleScreens)
      return sets.contains(nil) ? nil : Set(sets.compactMap(\.self).joined())
    case .fact, .flowFact, .param, .content, .status, .result, .screen, .flow, .passed, .between, .not: return nil
    }
  }

  /// The description inside another condition, in parentheses if necessary.
  var innerText: String {
    switch self {
    case .all(let guards), .any(let guards): guards.count == 1 ? shortText : "(\(shortText))"
    default: shortText
    }
  }
}

extension Guard {
  /// A time of day in milliseconds since midnight as `06:30`.
  private static func clock(_ time: Int) -> String {
    let (hour, minute) = (time / 3_600_000, time / 60_000 % 60)
    return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
  }
}

extension Guard.Test {
  fileprivate var shortText: String {
    switch self {
    case .isTrue: ""
    case .present: " present"
    case .absent: " absent"
    case .equals(let value): " = \(value.shortText)"
    case .over(let value): " > \(value.shortText)"
    case .under(let value): " < \(value.shortText)"
    case .among(let values): " in \(values.shortText)"
    }
  }
}

extension Expression {
  fileprivate var shortText: String {
    switch self {
    case .literal(let value): value.shortText
    case .reference(let reference): reference.shortText
    case .template, .array, .object: "…"
    case .calculation(.count, let terms): "count(\(terms.map(\.shortText).joined()))"
    case .calculation(let kind, let terms): terms.map(\.shortText).joined(separator: kind == .sum ? " + " : " - ")
    }
  }
}

extension Reference {
  fileprivate var shortText: String {
    switch self {
    case .param(let name): "$\(name)"
    case .content(let path, let place): (["$content" + (place.map { "(\($0.shortText))" } ?? "")] + path).joined(separator: ".")
    case .fact(let name), .flowFact(let name): "$fact.\(name)"
    case .flow(let path): (["$flow"] + path).joined(separator: ".")
    case .result(let path): (["$result"] + path).joined(separator: ".")
    case .screen(let path): (["$screen"] + path).joined(separator: ".")
    case .error(let member): "$error.\(member)"
    case .authorizeURL: "$oauth.authorizeUrl"
    case .isFirstSight: "$seen.first"
    }
  }
}

extension Place {
  fileprivate var shortText: String {
    ([name] + with.sortedByKey.map { "\($0.key): \($0.value.shortText)" }).joined(separator: ", ")
  }
}
