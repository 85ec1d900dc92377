import CairnCore
import CairnTesting
import Foundation
import Testing

@Suite struct `An engine with a definition that has travelled` {
  @Test(arguments: EngineSessions.apps) func `gives the service's results in a shipped app`(app: String) throws {
    let sessions = try (0..<6).map { try EngineSessions.app(app, seed: $0) }
    #expect(sessions.flatMap(\.faults).first == nil)
    #expect(sessions.map(\.predicted).reduce(0, +) > 20)
  }

  @Test(arguments: EngineSessions.acceptanceApps) func `gives the service's results in an acceptance app`(app: String) throws {
    let sessions = try (0..<6).map { try EngineSessions.app(app, in: Drive.acceptance, seed: $0) }
    #expect(sessions.flatMap(\.faults).first == nil)
    #expect(sessions.map(\.predicted).reduce(0, +) > 20)
  }

  @Test(arguments: EngineSessions.scenarioFiles) func `gives the service's results in each scenario`(file: URL) throws {
    for (name, session) in try EngineSessions.scenarios(in: file) { #expect(session.faults.first == nil, "\(name)") }
  }

  @Test(arguments: 0..<4) func `gives the service's results in random definitions`(block: Int) throws {
    var predicted = 0
    for seed in (block * 60)..<(block * 60 + 60) {
      guard let session = try? EngineSessions.random(seed: seed) else { continue }
      try #require(session.faults.first == nil, "seed \(seed)")
      predicted += session.predicted
    }
    #expect(predicted > 200)
  }

  @Test func `gives the service's results for values at the edges of their types`() throws {
    let session = try EngineSessions.edges()
    #expect(session.faults.first == nil)
    #expect(session.predicted > 100)
  }

  /// `make test-engine` sets the file to which the calls are written.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CAIRN_ENGINE_RECORDING"] != nil))
  func `the sessions are recorded for the engine as WebAssembly`() throws {
    let file = URL(filePath: try #require(ProcessInfo.processInfo.environment["CAIRN_ENGINE_RECORDING"]))
    var sessions = [try EngineSessions.edges()]
    for app in EngineSessions.apps { for seed in 0..<6 { sessions.append(try EngineSessions.app(app, seed: seed)) } }
    for app in EngineSessions.acceptanceApps {
      for seed in 0..<6 { sessions.append(try EngineSessions.app(app, in: Drive.acceptance, seed: seed)) }
    }
    for file in EngineSessions.scenarioFiles { sessions += try EngineSessions.scenarios(in: file).map(\.session) }
    for seed in 0..<240 { if let session = try? EngineSessions.random(seed: seed) { sessions.append(session) } }
    let lines = sessions.flatMap(\.calls).map { $0.line + "\n" }
    try lines.joined().write(to: file, atomically: true, encoding: .utf8)
  }
}
