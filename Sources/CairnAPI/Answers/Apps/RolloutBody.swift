package import CairnCore

/// A rollout with its report and its progress.
package struct RolloutBody: JSONWritable, Sendable {
  /// The number of sessions to which the same reason or line applies, with the id of one of them.
  package struct Sample: JSONWritable, Sendable {
    package var what: String
    package var count: Int
    package var example: String

    package init(_ what: String, count: Int, example: String) {
      self.what = what
      self.count = count
      self.example = example
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("count", count)
      writer.member("example", example)
      writer.member("what", what)
      writer.endObject()
    }

    fileprivate static let schema = Schema.object([
      Property("count", .whole(from: 0)), Property("example", .text, "The id of one of the sessions."), Property("what", .text),
    ])
  }

  /// The rollout before a dry run, which the dry run does not end.
  package struct Earlier: JSONWritable, Sendable {
    package var to, share, state: String

    package init(to: String, share: String, state: String) {
      self.to = to
      self.share = share
      self.state = state
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("share", share)
      writer.member("state", state)
      writer.member("to", to)
      writer.endObject()
    }

    fileprivate static let schema = Schema.object([Property("share", .text), Property("state", .text), Property("to", .text)])
  }

  /// The progress of the rollout's visits to sessions.
  package struct Progress: JSONWritable, Sendable {
    package var total, left, perMinute: Int
    package var node: String
    /// The time of the last step, in milliseconds since 1970.
    package var time: Int
    /// The expected end, in milliseconds since 1970; `nil` if it is unknown.
    package var expectedEnd: Int?

    package init(total: Int, left: Int, perMinute: Int, node: String, time: Int, expectedEnd: Int?) {
      self.total = total
      self.left = left
      self.perMinute = perMinute
      self.node = node
      self.time = time
      self.expectedEnd = expectedEnd
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("expectedEnd", ifPresent: expectedEnd.map { Timestamp($0) })
      writer.member("left", left)
      writer.member("node", node)
      writer.member("perMinute", perMinute)
      writer.member("time", Timestamp(time))
      writer.member("total", total)
      writer.endObject()
    }

    fileprivate static let schema = Schema.object([
      .maybe("expectedEnd", .shared(.time), "Estimated time at which all sessions have been visited; missing if none is left to visit."),
      Property("left", .whole(from: 0), "Number of sessions that the present round has not visited yet; with a share, an estimate."),
      Property("node", .text, "The node that moves the sessions, as host and process, as in `cairn nodes`."),
      Property("perMinute", .whole(from: 0), "Number of sessions that the present round has visited per minute."),
      Property("time", .shared(.time), "The time of the rollout's last step."),
      Property("total", .whole(from: 0), "Number of sessions that the rollout concerns: moved, waiting, staying and not yet visited."),
    ])
  }

  package var app: String
  /// The hashes of the definitions.
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

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("by", ifPresent: by)
    writer.member("dryRun", isDryRun)
    writer.member("earlier", ifPresent: earlier)
    writer.member("from", from)
    writer.member("lines", lines)
    writer.member("moved", moved)
    writer.member("progress", ifPresent: progress)
    writer.member("rate", rate)
    writer.member("reverted", reverted)
    writer.member("share", share)
    writer.member("since", Timestamp(since))
    writer.member("state", state)
    writer.member("stays", stays)
    writer.member("to", to)
    writer.member("unchanged", unchanged)
    writer.member("waiting", waiting)
    writer.member("when", ifPresent: moment)
    writer.endObject()
  }

  package static let schema = Schema.object([
    Property("app", .text), .maybe("by", .text, "The operator who started the rollout."), Property("dryRun", .flag),
    .maybe("earlier", Earlier.schema, "The rollout before this dry run, whose share of new sessions still applies."),
    Property("from", .text, "The hash of the definition that the app had before the rollout."),
    Property("to", .text, "The hash of the new definition."),
    Property("lines", .list(of: Sample.schema), "Moved sessions that a line of the migration affected, counted per line."),
    Property("moved", .whole(from: 0), "Number of sessions that moved, or that would move in a dry run."),
    .maybe("progress", Progress.schema, "The progress of the rollout; missing before its first step."),
    Property("unchanged", .whole(from: 0), "Number of moved sessions that no line of the migration affected."),
    Property("stays", .list(of: Sample.schema), "Sessions that stay on their definition, counted per reason."),
    Property("waiting", .whole(from: 0), "Number of sessions that wait for the moment that when selects."),
    Property("reverted", .whole(from: 0), "Number of sessions that moved back to the old definition."),
    Property("rate", .whole(from: 1)), Property("share", .text), Property("since", .shared(.time)),
    Property("state", .words(["running", "paused", "done", "stopped", "reverting", "reverted"])), .maybe("when", .text),
  ]).about("A rollout, which moves the sessions of an app to another definition.")
}
