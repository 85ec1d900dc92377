import CairnCore

extension Guard {
  /// In a few words, for people: `isKnown`, `id = 1`, `not visible home`.
  var shortText: String {
    switch self {
    case .fact(let name, let test): "\(name)\(test.shortText)"
    case .param(let name, let test): "$\(name)\(test.shortText)"
    case .content(let path, let test): "content.\(path.joined(separator: "."))\(test.shortText)"
    case .status(let status): "content \(status.rawValue)"
    case .visible(let screens, let with):
      "visible \(screens.joined(separator: " | "))" + (with.isEmpty ? "" : "(\(with.keys.sorted().joined(separator: ", ")))")
    case .flow(let name): "flow \(name)"
    case .all(let guards): guards.map(\.innerText).joined(separator: " and ")
    case .any(let guards): guards.map(\.innerText).joined(separator: " or ")
    case .not(let inner): "not \(inner.innerText)"
    }
  }

  private var innerText: String {
    switch self {
    case .all(let guards), .any(let guards): guards.count == 1 ? shortText : "(\(shortText))"
    default: shortText
    }
  }
}

extension Guard.Test {
  fileprivate var shortText: String {
    switch self {
    case .isTrue: ""
    case .present: " present"
    case .absent: " absent"
    case .equals(.literal(let value)): " = \(value.shortText)"
    case .equals(.reference(let reference)): " = \(reference.shortText)"
    case .equals: " = …"
    }
  }
}

extension Reference {
  fileprivate var shortText: String {
    switch self {
    case .param(let name): "$\(name)"
    case .content(let path, let screen): (["$content" + (screen.map { "(\($0))" } ?? "")] + path).joined(separator: ".")
    case .fact(let name): "$fact.\(name)"
    case .result(let path): (["$result"] + path).joined(separator: ".")
    case .authorizeURL: "$oauth.authorizeUrl"
    }
  }
}
