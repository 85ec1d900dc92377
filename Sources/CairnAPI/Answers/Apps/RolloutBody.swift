package import CairnCore

/// A rollout with what it has reached.
package struct RolloutBody: JSONWritable, Sendable {
  /// Some sessions of which the same holds, with the id of one of them.
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

  /// The rollout before a dry run, which goes on.
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

  /// How far the sessions have been visited.
  package struct Progress: JSONWritable, Sendable {
    package var total, left, perMinute: Int
    package var node: String
    /// In milliseconds since 1970; the expected end is `nil` if it is unknown.
    package var time: Int
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
      .maybe("expectedEnd", .shared(.time), "When all sessions will have been visited at this speed; absent if none is left to visit."),
      Property("left", .whole(from: 0), "Sessions that the present round has not visited yet. With a share it is an estimate."),
      Property("node", .text, "The node that moves the sessions, as host and process: see `cairn nodes`."),
      Property("perMinute", .whole(from: 0), "Sessions that the present round has visited per minute."),
      Property("time", .shared(.time), "The time of the last step."),
      Property("total", .whole(from: 0), "Sessions that the rollout concerns, whether they have moved, wait, stay or are left."),
    ])
  }

  package var app: String
  /// The hashes of the definitions.
  package var from, to: String
  package var state: String
  /// As text, such as `5%`.
  package var share: String
  /// As text, such as `idle 10m`; `nil` if running sessions stay.
  package var moment: String?
  package var rate: Int
  package var isDryRun: Bool
  /// In milliseconds since 1970.
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
    Property("app", .text), .maybe("by", .text, "The operator who began it."), Property("dryRun", .flag),
    .maybe("earlier", Earlier.schema, "The rollout before this dry run, whose share of new sessions still holds."),
    Property("from", .text, "The hash of the definition that the app had."), Property("to", .text, "The hash of the new definition."),
    Property("lines", .list(of: Sample.schema), "The moved sessions of which a line of the migration says something, by the line."),
    Property("moved", .whole(from: 0), "Sessions that moved, or of a dry run would."),
    .maybe("progress", Progress.schema, "How far and how fast; absent before the first step."),
    Property("unchanged", .whole(from: 0), "Those among them of which no line says anything."),
    Property("stays", .list(of: Sample.schema), "The sessions that stay, by the reason."),
    Property("waiting", .whole(from: 0), "Sessions whose moment has not come."),
    Property("reverted", .whole(from: 0), "Sessions that went back."),
    Property("rate", .whole(from: 1)), Property("share", .text), Property("since", .shared(.time)),
    Property("state", .words(["running", "paused", "done", "stopped", "reverting", "reverted"])), .maybe("when", .text),
  ]).about("How the sessions of an app come to another definition.")
}
