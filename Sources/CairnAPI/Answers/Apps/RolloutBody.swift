import CairnCore

/// A rollout with its report and its progress.
package struct RolloutBody: DescribedBody, Sendable {
  /// The number of sessions to which the same reason or the same line of the migration applies, with the id of one of these sessions.
  package struct Sample: DescribedBody, Sendable {
    package var what: String
    package var count: Int
    package var example: String

    package init(_ what: String, count: Int, example: String) {
      self.what = what
      self.count = count
      self.example = example
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.always("count", body?.count, as: .whole(from: 0))
      visitor.always("example", body?.example, "The id of one of the sessions.")
      visitor.always("what", body?.what)
    }
  }

  /// The app's newest rollout before a dry run. This rollout stays in effect during the dry run.
  package struct Earlier: DescribedBody, Sendable {
    package var to, share, state: String

    package init(to: String, share: String, state: String) {
      self.to = to
      self.share = share
      self.state = state
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.always("share", body?.share)
      visitor.always("state", body?.state)
      visitor.always("to", body?.to)
    }
  }

  /// The progress of a rollout, which visits the sessions in rounds. The numbers belong to the current round.
  package struct Progress: DescribedBody, Sendable {
    package var total, left, perMinute: Int
    package var node: String
    /// The time at which the progress was recorded, in milliseconds since 1970.
    package var time: Int
    /// The estimated end of the current round, in milliseconds since 1970; `nil` if no session is left to visit, if the rate is unknown, or
    /// if the rollout is not visiting sessions.
    package var expectedEnd: Int?

    package init(total: Int, left: Int, perMinute: Int, node: String, time: Int, expectedEnd: Int?) {
      self.total = total
      self.left = left
      self.perMinute = perMinute
      self.node = node
      self.time = time
      self.expectedEnd = expectedEnd
    }

    package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
      visitor.maybe(
        "expectedEnd", (body?.expectedEnd).map(Timestamp.init),
        "Estimated end of the current round. Missing if no session is left in the round, if the rate is unknown, "
          + "or if the rollout is not visiting sessions.")
      visitor.always(
        "left", body?.left, "Number of sessions not yet visited in the current round; an estimate if the share is below 100%.",
        as: .whole(from: 0))
      visitor.always("node", body?.node, "The node that moves the sessions: its machine and its process, as `cairn nodes` prints them.")
      visitor.always(
        "perMinute", body?.perMinute, "Number of sessions visited per minute in the current round.", as: .whole(from: 0))
      visitor.always("time", (body?.time).map(Timestamp.init), "The time at which this progress was recorded.")
      visitor.always(
        "total", body?.total, "Number of sessions in the rollout's share: moved, waiting, staying and not yet visited.",
        as: .whole(from: 0))
    }
  }

  package var app: String
  /// The hashes of the old and the new definition.
  package var from, to: String
  package var state: String
  /// The share as text, such as `5%`.
  package var share: String
  /// The condition under which a session moves, as text, such as `idle 10m`; `nil` if existing sessions keep their definition.
  package var moment: String?
  package var rate: Int
  package var isDryRun: Bool
  /// The start time in milliseconds since 1970.
  package var since: Int
  package var by: String?
  package var moved, unchanged, waiting, reverted: Int
  package var lines, stays: [Sample]
  package var earlier: Earlier?
  package var progress: Progress?

  package init(
    app: String, from: String, to: String, state: String, share: String, moment: String?, rate: Int, isDryRun: Bool, since: Int,
    by: String?,
    moved: Int, unchanged: Int, waiting: Int, reverted: Int, lines: [Sample], stays: [Sample],
    earlier: Earlier? = nil
  ) {
    self.app = app
    self.from = from
    self.to = to
    self.state = state
    self.share = share
    self.moment = moment
    self.rate = rate
    self.isDryRun = isDryRun
    self.since = since
    self.by = by
    self.moved = moved
    self.unchanged = unchanged
    self.waiting = waiting
    self.reverted = reverted
    self.lines = lines
    self.stays = stays
    self.earlier = earlier
  }

  package static func members(of body: Self?, _ visitor: inout some MemberVisitor & ~Copyable) {
    visitor.always("app", body?.app)
    visitor.maybe("by", body?.by, "The operator who started the rollout.")
    visitor.always("dryRun", body?.isDryRun)
    visitor.maybe(
      "earlier", body?.earlier, "The rollout that was started before this dry run. Its share of new sessions remains in effect.")
    visitor.always("from", body?.from, "The hash of the definition that the app had before the rollout.")
    visitor.always("lines", body?.lines, "Number of moved sessions to which a line of the migration applied, by line.")
    visitor.always("moved", body?.moved, "Number of sessions that moved, or that would move in a dry run.", as: .whole(from: 0))
    visitor.maybe(
      "progress", body?.progress, "The progress of the rollout, which visits its sessions in rounds; missing until it is first recorded.")
    visitor.always("rate", body?.rate, as: .whole(from: 1))
    visitor.always("reverted", body?.reverted, "Number of sessions that moved back to the old definition.", as: .whole(from: 0))
    visitor.always("share", body?.share)
    visitor.always("since", (body?.since).map(Timestamp.init))
    visitor.always("state", body?.state, as: .words(["running", "paused", "done", "stopped", "reverting", "reverted"]))
    visitor.always("stays", body?.stays, "Number of sessions that stay on their definition, by reason.")
    visitor.always("to", body?.to, "The hash of the new definition.")
    visitor.always("unchanged", body?.unchanged, "Number of moved sessions that no line of the migration affected.", as: .whole(from: 0))
    visitor.always("waiting", body?.waiting, "Number of sessions for which the condition (when) is not true yet.", as: .whole(from: 0))
    visitor.maybe("when", body?.moment)
  }

  package static var about: String { "A rollout, which moves the sessions of an app to another definition." }
  package static var firstRequired: [String] {
    ["app", "dryRun", "from", "to", "lines", "moved", "unchanged", "stays", "waiting", "reverted"]
  }
}
