import CairnJournal
import Testing

@Suite struct `Operations on a rollout` {
  private static func rollout(_ state: Rollout.State, isDryRun: Bool = false) -> Rollout {
    Rollout(app: "trial", from: "a", to: "b", moment: .now, rate: 1, isDryRun: isDryRun, since: 1, author: nil).with(state: state)
  }

  /// The states after pause, resume, stop and revert; `-` if the operation is not possible.
  private static func table(isDryRun: Bool) -> [String] {
    Rollout.State.allCases.map { state in
      let after = Rollout.Operation.allCases.map { rollout(state, isDryRun: isDryRun).state(after: $0)?.rawValue ?? "-" }
      return "\(state.rawValue): \(after.joined(separator: " "))"
    }
  }

  @Test func `a rollout in place of a damaged one has a version, whatever number that one had`() {
    let versions = [0, 7, .max].map { RolloutChange(Self.rollout(.running), after: $0).rollout.version }
    #expect(versions == [1, 8, 1])
  }

  @Test func `each state allows what leads on from it`() {
    #expect(
      Self.table(isDryRun: false) == [
        "running: paused - stopped reverting", "paused: - running stopped reverting", "done: - - stopped reverting",
        "stopped: - - - reverting", "reverting: - - stopped -", "reverted: - - - -",
      ])
  }

  @Test func `a dry run only pauses, goes on and stops`() {
    #expect(
      Self.table(isDryRun: true) == [
        "running: paused - stopped -", "paused: - running stopped -", "done: - - - -", "stopped: - - - -", "reverting: - - - -",
        "reverted: - - - -",
      ])
  }

  @Test func `after the end of a dry run an operation concerns the rollout before it`() {
    var dryRun = Self.rollout(.done, isDryRun: true)
    #expect(dryRun.after(.pause) == nil, "there is none before it")
    dryRun.earlier = .rollout(Self.rollout(.running))
    #expect(dryRun.after(.pause) == Self.rollout(.paused))
    #expect(dryRun.after(.resume) == nil)
    #expect(dryRun.with(state: .running).after(.pause)?.isDryRun == true, "under way, it is the one that pauses")
  }

  @Test func `a new rollout replaces one that has ended, and any dry run`() {
    let replaced = Rollout.State.allCases.filter { Self.rollout($0).isReplaceable }
    #expect(replaced == [.done, .stopped, .reverted])
    #expect(Rollout.State.allCases.allSatisfy { Self.rollout($0, isDryRun: true).isReplaceable })
  }
}
