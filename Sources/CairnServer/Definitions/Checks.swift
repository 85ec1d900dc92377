import CairnAPI
import CairnCore
import CairnDefinition
import CairnRuntime
import CairnStore

/// What `cairn check` says of definitions that come from no file. That means reading one again, which for a large one takes a while: each is looked at
/// once, the last 64 are remembered. Any thread.
final class Checks: Sendable {
  private static let most = 64

  private struct Contents {
    var warnings: [String: [CheckBody.Warning]] = [:]
    var order: [String] = []
  }

  private let contents = Lock(Contents())

  init() {}

  /// The warnings of a definition: with the lines of its file, or without lines where it has none.
  func warnings(of pinned: PinnedDefinition) -> [CheckBody.Warning] {
    if let doubts = pinned.doubts { return doubts.map { .init($0.message, line: $0.line, column: $0.column) } }
    if let known = contents.withLock({ $0.warnings[pinned.hash] }) { return known }
    // It was accepted once, and is read again as it was then.
    let checked = try? DefinitionLoader.check(file: pinned.definition.app, text: pinned.text, shortestTimer: 0, longestLoad: .max)
    let warnings = checked?.warnings.map { CheckBody.Warning($0.message) } ?? []
    contents.withLock { contents in
      if contents.warnings.updateValue(warnings, forKey: pinned.hash) == nil { contents.order.append(pinned.hash) }
      if contents.order.count > Self.most { contents.warnings[contents.order.removeFirst()] = nil }
    }
    return warnings
  }
}
