package import CairnCore

/// The stored form of a rollout: JSON.
package enum RolloutFormat {
  package static func bytes(_ rollout: Rollout) -> [UInt8] {
    JSONWriter.stored { writer in write(rollout, &writer) }
  }

  private static func write(_ rollout: Rollout, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", rollout.app)
    if let author = rollout.author { writer.member("author", author) }
    writer.member("dryRun", rollout.isDryRun)
    if case .rollout(let earlier) = rollout.earlier {
      writer.name("earlier")
      write(earlier, &writer)
    }
    writer.member("from", rollout.from)
    write(rollout.moment, &writer)
    writer.member("rate", rollout.rate)
    write(rollout.report, &writer)
    writer.member("share", rollout.share)
    writer.member("since", rollout.since)
    writer.member("state", rollout.state.rawValue)
    writer.member("to", rollout.to)
    writer.member("version", rollout.version)
    writer.endObject()
  }

  package static func read(_ bytes: [UInt8]) throws(UnreadableFormat) -> Rollout {
    try JSONElement.reading(bytes) { element throws(UnreadableFormat) in try rollout(element) }
  }

  private static func rollout(_ element: JSONElement) throws(UnreadableFormat) -> Rollout {
    var rollout = Rollout(app: "", from: "", to: "", moment: nil, rate: 0, isDryRun: false, since: 0, author: nil)
    for (member, value) in try element.readMembers() {
      switch member {
      case "app": rollout.app = try value.readString()
      case "author": rollout.author = try value.readString()
      case "dryRun": rollout.isDryRun = try value.readBool()
      case "earlier": rollout.earlier = .rollout(try Self.rollout(value))
      case "from": rollout.from = try value.readString()
      case "now": rollout.moment = .now
      case "foreground": rollout.moment = .foreground
      case "idle": rollout.moment = .idle(try value.readNumber())
      case "visible": rollout.moment = .visible(try value.readString())
      case "rate": rollout.rate = try value.readNumber()
      case "report": rollout.report = try report(value)
      case "share": rollout.share = try value.readNumber()
      case "since": rollout.since = try value.readNumber()
      case "state":
        guard let state = Rollout.State(rawValue: try value.readString()) else { throw value.fault("an unknown state") }
        rollout.state = state
      case "to": rollout.to = try value.readString()
      case "version": rollout.version = try value.readNumber()
      default: throw member.unknown
      }
    }
    return rollout
  }

  private static func write(_ moment: Rollout.Moment?, _ writer: inout JSONWriter) {
    switch moment {
    case .now: writer.member("now", true)
    case .foreground: writer.member("foreground", true)
    case .idle(let milliseconds): writer.member("idle", milliseconds)
    case .visible(let screen): writer.member("visible", screen)
    case nil: break
    }
  }

  private static func write(_ report: RolloutReport, _ writer: inout JSONWriter) {
    writer.name("report")
    writer.beginObject()
    writer.name("lines")
    write(report.lines, &writer)
    writer.member("moved", report.moved)
    if let progress = report.progress {
      writer.name("progress")
      writer.beginObject()
      writer.member("left", progress.left)
      writer.member("node", progress.node)
      writer.member("perMinute", progress.perMinute)
      writer.member("time", progress.time)
      writer.member("total", progress.total)
      writer.endObject()
    }
    writer.member("reverted", report.reverted)
    writer.name("stays")
    write(report.stays, &writer)
    writer.member("unchanged", report.unchanged)
    writer.member("waiting", report.waiting)
    writer.endObject()
  }

  private static func write(_ samples: [String: RolloutReport.Sample], _ writer: inout JSONWriter) {
    writer.beginObject()
    for (name, sample) in samples.sorted(by: { $0.key < $1.key }) {
      writer.key(name)
      writer.beginObject()
      writer.member("count", sample.count)
      writer.member("example", sample.example)
      writer.endObject()
    }
    writer.endObject()
  }

  private static func report(_ element: JSONElement) throws(UnreadableFormat) -> RolloutReport {
    var report = RolloutReport()
    for (member, value) in try element.readMembers() {
      switch member {
      case "lines": report.lines = try samples(value)
      case "moved": report.moved = try value.readNumber()
      case "progress": report.progress = try progress(value)
      case "reverted": report.reverted = try value.readNumber()
      case "stays": report.stays = try samples(value)
      case "unchanged": report.unchanged = try value.readNumber()
      case "waiting": report.waiting = try value.readNumber()
      default: throw member.unknown
      }
    }
    return report
  }

  private static func progress(_ element: JSONElement) throws(UnreadableFormat) -> RolloutProgress {
    var progress = RolloutProgress(total: 0, left: 0, perMinute: 0, node: "", time: 0)
    for (member, value) in try element.readMembers() {
      switch member {
      case "left": progress.left = try value.readNumber()
      case "node": progress.node = try value.readString()
      case "perMinute": progress.perMinute = try value.readNumber()
      case "time": progress.time = try value.readNumber()
      case "total": progress.total = try value.readNumber()
      default: throw member.unknown
      }
    }
    return progress
  }

  private static func samples(_ element: JSONElement) throws(UnreadableFormat) -> [String: RolloutReport.Sample] {
    var samples: [String: RolloutReport.Sample] = [:]
    for (name, value) in try element.readMembers() {
      var sample = RolloutReport.Sample(count: 0, example: "")
      for (member, value) in try value.readMembers() {
        switch member {
        case "count": sample.count = try value.readNumber()
        case "example": sample.example = try value.readString()
        default: throw member.unknown
        }
      }
      samples[try name.readString()] = sample
    }
    return samples
  }
}
