package import CairnCore

/// The move of an app's new and existing sessions to another definition. An app has one rollout at a time, which is stored even after its
/// end.
package struct Rollout: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case running, paused
    /// All sessions that should move have moved, or cannot move. The share still applies to new sessions.
    case done
    /// An operator stopped the rollout. Moved sessions keep the new definition, and new sessions begin with the app's definition.
    case stopped
    /// Moved sessions are being set back.
    case reverting
    case reverted

    /// Whether sessions are being moved or set back, or can be moved again after a pause.
    package var isActive: Bool { self == .running || self == .paused || self == .reverting }
  }

  /// The condition under which an existing session moves.
  package enum Moment: Hashable, Sendable {
    case now
    /// The session moves when no client has acted for this many milliseconds.
    case idle(Int)
    /// The session moves when this screen is visible.
    case visible(String)
    /// The session moves when its client has reported that the app is in the foreground.
    case foreground
  }

  package var app: String
  /// The hashes of the definition that the app had before the rollout, and of the definition to which sessions move.
  package var from, to: String
  /// The share of the app's sessions that move, in hundredths of a percent. A session is selected by its label or, without one, by its id,
  /// so that all sessions with one label are treated alike.
  package var share: Int
  /// The condition under which existing sessions move; `nil` if they keep their definition.
  package var moment: Moment?
  /// Maximum number of sessions moved per second.
  package var rate: Int
  /// Whether the rollout only creates a report, and moves no session.
  package var isDryRun: Bool
  package var state = State.running
  /// The start time in milliseconds since 1970.
  package var since: Int
  /// The name of the operator who started the rollout.
  package var author: String?
  /// The version, which increases with each change. A change names the version that it replaces, so only one of two simultaneous changes is
  /// stored.
  package var version = 1
  package var report = RolloutReport()
  /// The rollout that was the newest before this dry run.
  package var earlier = Earlier.none

  /// The rollout before a dry run, which the dry run does not end.
  package indirect enum Earlier: Hashable, Sendable {
    case none
    case rollout(Rollout)
  }

  package init(
    app: String, from: String, to: String, share: Int = whole, moment: Moment?, rate: Int, isDryRun: Bool, since: Int, author: String?
  ) {
    self.app = app
    self.from = from
    self.to = to
    self.share = share
    self.moment = moment
    self.rate = rate
    self.isDryRun = isDryRun
    self.since = since
    self.author = author
  }

  /// The share that includes all sessions, in hundredths of a percent.
  package static let whole = 10_000

  /// Whether a session is in the share. `label` and `id` are the session's.
  package func includes(label: String?, id: String) -> Bool {
    guard share < Self.whole else { return true }
    // A fixed key, so that all rollouts choose the same users first.
    var hash = SipHash(SipHash.Key(from: Array("cairn rollout".utf8), for: "share"))
    hash.combine(field: Array((label ?? id).utf8))
    return Int(hash.finish() % UInt64(Self.whole)) < share
  }

  /// The newest rollout that moves sessions: this one or, if it is a dry run, the rollout before it; `nil` if no rollout preceded the dry
  /// run.
  package var effective: Rollout? {
    guard isDryRun else { return self }
    if case .rollout(let earlier) = earlier { return earlier }
    return nil
  }

  /// The same rollout with another state.
  package func with(state: State) -> Rollout {
    var next = self
    next.state = state
    return next
  }

  /// Whether the rollout must visit existing sessions now, to move them, to set them back, or to count them.
  package var hasWork: Bool { state == .reverting || state == .running && (moment != nil || isDryRun) }

  /// Whether new sessions of the share begin with the new definition. `served` is the hash of the app's current definition.
  package func choosesNewSessions(served: String) -> Bool {
    guard !isDryRun, served == from else { return false }
    switch state {
    case .running, .paused, .done: return true
    case .stopped, .reverting, .reverted: return false
    }
  }
}

extension Definition {
  /// Whether the definition has the fact that contains the state of the app.
  package var notesAppState: Bool { facts[FactDefinition.appState] != nil }
}

/// The counts of a rollout, or the expected counts of a dry run.
package struct RolloutReport: Hashable, Sendable {
  /// The number of sessions to which the same reason or line applies, with the id of one of these sessions.
  package struct Sample: Hashable, Sendable {
    package var count: Int
    package var example: String

    package init(count: Int, example: String) {
      self.count = count
      self.example = example
    }
  }

  /// The number of sessions that moved or, in a dry run, would move.
  package var moved = 0
  /// The number of moved sessions that no line of the migration changed.
  package var unchanged = 0
  /// For each line of the migration, such as `screens.promo`: the number of moved sessions that it changed.
  package var lines: [String: Sample] = [:]
  /// For each reason not to move: the number of sessions that stay.
  package var stays: [String: Sample] = [:]
  /// The number of sessions for which the rollout's condition was not true in the last round.
  package var waiting = 0
  /// The number of sessions that were set back.
  package var reverted = 0
  /// The progress; `nil` before the first step.
  package var progress: RolloutProgress?

  package init() {}

  /// Adds the difference between a node's reports `old` and `new` to this stored report, which another node may have changed since. The
  /// counts of sessions and of lines are added. Changed values of `stays` and `waiting`, and the progress, replace the stored ones.
  package mutating func add(_ new: RolloutReport, since old: RolloutReport) {
    moved += new.moved - old.moved
    unchanged += new.unchanged - old.unchanged
    reverted += new.reverted - old.reverted
    for (name, sample) in new.lines {
      lines[name, default: Sample(count: 0, example: sample.example)].count += sample.count - (old.lines[name]?.count ?? 0)
    }
    if new.stays != old.stays { stays = new.stays }
    if new.waiting != old.waiting { waiting = new.waiting }
    progress = new.progress
  }

  /// Maximum number of listed reasons, and of listed lines. Further ones are counted together under the name `others`.
  private static let most = 100

  package mutating func note(line: String, of session: String) { Self.note(line, session, in: &lines) }

  package mutating func note(stay reason: String, of session: String) { Self.note(reason, session, in: &stays) }

  private static func note(_ name: String, _ session: String, in samples: inout [String: Sample]) {
    let name = samples[name] != nil || samples.count < most ? name : "others"
    samples[name, default: Sample(count: 0, example: session)].count += 1
  }
}
