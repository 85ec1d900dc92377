package import CairnCore

/// The move of an app's new and running sessions to another definition. An app has one at a time, which is kept after its end.
package struct Rollout: Hashable, Sendable {
  package enum State: String, Hashable, Sendable, CaseIterable {
    case running, paused
    /// All sessions that should move have moved, or cannot. The share of new sessions still holds.
    case done
    /// An operator ended it. Moved sessions stay where they are, and new ones begin with the app's definition.
    case stopped
    /// Sessions go back.
    case reverting
    case reverted

    /// Whether sessions are moved, or will be.
    package var isActive: Bool { self == .running || self == .paused || self == .reverting }
  }

  /// When a running session moves.
  package enum Moment: Hashable, Sendable {
    case now
    /// When no client has acted for so many milliseconds.
    case idle(Int)
    /// When this screen is visible.
    case visible(String)
    /// When its client reports that the app is in the foreground.
    case foreground
  }

  package var app: String
  /// The hashes of the definition that the app had at the beginning, and of the one to which sessions move.
  package var from, to: String
  /// The share of sessions, in hundredths of a percent. It is chosen by the label or, without one, by the id, so that one person's sessions agree.
  package var share: Int
  /// `nil` if running sessions stay.
  package var moment: Moment?
  /// Maximum number of sessions moved per second.
  package var rate: Int
  /// Whether nothing is moved, and only the report is made.
  package var isDryRun: Bool
  package var state = State.running
  /// The time of its beginning in milliseconds since 1970.
  package var since: Int
  /// The operator who began it.
  package var author: String?
  /// Counts the changes, so that of two changes at the same time one is made.
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

  /// The share of all sessions.
  package static let whole = 10_000

  /// Whether a session is among the share. `label` and `id` are the session's.
  package func includes(label: String?, id: String) -> Bool {
    guard share < Self.whole else { return true }
    // A fixed key, so that all rollouts choose the same persons first.
    var hash = SipHash(SipHash.Key(from: Array("cairn rollout".utf8), for: "share"))
    hash.combine(field: Array((label ?? id).utf8))
    return Int(hash.finish() % UInt64(Self.whole)) < share
  }

  /// The newest rollout that moves sessions: this one or, if it is a dry run, the one before it.
  package var effective: Rollout? {
    guard isDryRun else { return self }
    if case .rollout(let earlier) = earlier { return earlier }
    return nil
  }

  /// The rollout in another state.
  package func with(state: State) -> Rollout {
    var next = self
    next.state = state
    return next
  }

  /// Whether running sessions are to be visited now.
  package var hasWork: Bool { state == .reverting || state == .running && (moment != nil || isDryRun) }

  /// Whether new sessions of the share begin with the new definition. `served` is the hash of the app's present definition.
  package func choosesNewSessions(served: String) -> Bool {
    guard !isDryRun, served == from else { return false }
    switch state {
    case .running, .paused, .done: return true
    case .stopped, .reverting, .reverted: return false
    }
  }
}

extension Definition {
  /// Whether sessions of the definition know the state of the app.
  package var notesAppState: Bool { facts[FactDefinition.appState] != nil }
}

/// The counts of a rollout, or the expected counts of a dry run.
package struct RolloutReport: Hashable, Sendable {
  /// Some sessions of which the same holds, with the id of one of them.
  package struct Sample: Hashable, Sendable {
    package var count: Int
    package var example: String

    package init(count: Int, example: String) {
      self.count = count
      self.example = example
    }
  }

  /// The sessions that moved, or of a dry run would move.
  package var moved = 0
  /// Those among them of which no line of the migration said anything.
  package var unchanged = 0
  /// Those among them of which a line of the migration said something, by the line, such as `screens.promo`.
  package var lines: [String: Sample] = [:]
  /// The sessions that stay, by the reason.
  package var stays: [String: Sample] = [:]
  /// The sessions for which the moment has not come in the last round.
  package var waiting = 0
  /// The sessions that went back.
  package var reverted = 0
  /// How far the sessions have been visited; `nil` before the first step.
  package var progress: RolloutProgress?

  package init() {}

  /// Adds what a node has done since a report. Another node may have stored a newer one since.
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

  /// Maximum number of listed reasons, and of listed lines. Further ones are counted under one name.
  private static let most = 100

  package mutating func note(line: String, of session: String) { Self.note(line, session, in: &lines) }

  package mutating func note(stay reason: String, of session: String) { Self.note(reason, session, in: &stays) }

  private static func note(_ name: String, _ session: String, in samples: inout [String: Sample]) {
    let name = samples[name] != nil || samples.count < most ? name : "others"
    samples[name, default: Sample(count: 0, example: session)].count += 1
  }
}
