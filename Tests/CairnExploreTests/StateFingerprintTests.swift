import CairnCore
import CairnDefinition
import Foundation
import Testing

@testable import CairnExplore

/// States with equal fingerprints continue in the same way.
@Suite struct StateFingerprintTests {
  /// Explores an app, and compares states with equal fingerprints that were reached by different paths. Their next moves must lead to
  /// states with equal fingerprints again.
  private func expectAlike(_ definition: Definition, claims: [Claim] = [], depth: Int = 2, states most: Int = 600) throws {
    var limits = Limits()
    limits.depth = depth
    let app = App(definition, claims, given: Start(), limits, covers: false)
    let player = Player(app.reducer)
    var known: [StateFingerprint: [Follower: String]] = [:]
    var tried: [StateFingerprint: Int] = [:]
    var open: [(state: State, way: [Move])] = []
    for start in app.starts { if let state = try? player.begin(start).state { open.append((state, [])) } }
    var index = 0
    var compared = 0
    while index < open.count, index < most {
      let (state, way) = open[index]
      index += 1
      let fingerprint = app.reducer.fingerprint(of: state, seeing: app.relevance)
      var followers: [Follower: String] = [:]
      for move in app.catalogue.moves(in: state, of: app.reducer) {
        var next = state
        do throws(Refusal) {
          _ = try player.make(move, on: &next, depth: way.count)
          let reached = app.reducer.fingerprint(of: next, seeing: app.relevance)
          followers[.state(reached, move.maker)] = move.inLine
          guard Beyond(next, limits) == nil, tried[reached, default: 0] < 3 else { continue }
          tried[reached, default: 0] += 1
          open.append((next, way + [move]))
        } catch {
          followers[.refused(error.code, move.maker)] = move.inLine
        }
      }
      guard let before = known[fingerprint] else {
        known[fingerprint] = followers
        continue
      }
      compared += 1
      let steps = way.map(\.inLine).joined(separator: "\n")
      let lost = before.filter { followers[$0.key] == nil }.map { "then \($0.value)" }
      let more = followers.filter { before[$0.key] == nil }.map { "now \($0.value)" }
      guard lost + more == [] else {
        Issue.record("\(app.reducer.tree(of: state).sketch)\n\(steps)\n\((lost + more).sorted().joined(separator: "\n"))")
        return
      }
    }
    #expect(compared > 0)
  }

  private enum Follower: Hashable {
    case state(StateFingerprint, Move.Maker)
    case refused(Refusal.Code, Move.Maker)
  }

  private func app(_ name: String) throws -> Definition {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../config/apps/\(name).yaml").standardized
    return try DefinitionLoader.load(file: name, text: String(contentsOf: file, encoding: .utf8), limits: .none).definition
  }

  /// Excludes `load-studies`, which contains a counter. All numbers above the compared ones count as equal, even if they are then counted down.
  @Test(arguments: ["shop", "qiita", "flow-controller-push", "flow-controller-modal", "rxflow-demo"])
  func `equal fingerprints of an app have equal successors`(name: String) throws {
    try expectAlike(try app(name))
  }

  /// Excludes the link that is held forever. Only the order of deadlines is part of the fingerprint, so the fingerprint does not determine whether two links
  /// expire together.
  @Test(arguments: [nil, SeededWindows.Fault.holeInTheLock, .modalNeverShown, .leaveNeverLetsGo, .resultIsTakenByNobody])
  func `equal fingerprints of an app with levels, a queue, held links and results have equal successors`(fault: SeededWindows.Fault?) throws
  {
    let definition = try SeededWindows.definition(fault)
    try expectAlike(definition, claims: try SeededWindows.claims(about: definition))
  }

  @Test(arguments: [nil] + SeededApp.Fault.allCases.map(Optional.some))
  func `equal fingerprints of an app with a timer and a link have equal successors`(fault: SeededApp.Fault?) throws {
    let definition = try SeededApp.definition(fault)
    try expectAlike(definition, claims: try SeededApp.claims(about: definition))
  }
}
