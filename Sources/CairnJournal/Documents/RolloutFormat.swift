package import CairnCore

// Encodes a rollout for storage.
extension Rollout: Coded {
  package static var blank: Rollout {
    Rollout(app: "", from: "", to: "", moment: nil, rate: 0, isDryRun: false, since: 0, author: nil)
  }

  package static func members<C: Coder & ~Copyable>(_ it: inout Rollout, _ coder: inout C) throws(C.Failure) {
    try coder.member("app", &it.app)
    try coder.member("author", &it.author)
    try coder.member("dryRun", &it.isDryRun)
    var earlier: Rollout? = if case .rollout(let earlier) = it.earlier { earlier } else { nil }
    try coder.member("earlier", &earlier)
    if C.reads { it.earlier = earlier.map(Earlier.rollout) ?? .none }
    try coder.member("from", &it.from)
    coder.chooseIfAny(&it.moment, ["now", "foreground", "idle", "visible"], [.now, .foreground, .idle(0), .visible("")])
    switch it.moment {
    case .now: try coder.mark("now")
    case .foreground: try coder.mark("foreground")
    case .idle(let milliseconds): it.moment = try .idle(coder.coded("idle", milliseconds))
    case .visible(let screen): it.moment = try .visible(coder.coded("visible", screen))
    case nil: break
    }
    try coder.member("rate", &it.rate)
    try coder.member("report", &it.report)
    try coder.member("share", &it.share)
    try coder.member("since", &it.since)
    try coder.member("state", &it.state)
    try coder.member("to", &it.to)
    try coder.member("version", &it.version)
  }
}

extension Rollout.State: CodedWord {
  package static var blank: Rollout.State { .running }
}

extension RolloutReport: Coded {
  package static var blank: RolloutReport { RolloutReport() }

  package static func members<C: Coder & ~Copyable>(_ it: inout RolloutReport, _ coder: inout C) throws(C.Failure) {
    try coder.member("lines", &it.lines)
    try coder.member("moved", &it.moved)
    try coder.member("progress", &it.progress)
    try coder.member("reverted", &it.reverted)
    try coder.member("stays", &it.stays)
    try coder.member("unchanged", &it.unchanged)
    try coder.member("waiting", &it.waiting)
  }
}

extension RolloutReport.Sample: Coded {
  package static var blank: RolloutReport.Sample { RolloutReport.Sample(count: 0, example: "") }

  package static func members<C: Coder & ~Copyable>(_ it: inout RolloutReport.Sample, _ coder: inout C) throws(C.Failure) {
    try coder.member("count", &it.count)
    try coder.member("example", &it.example)
  }
}

extension RolloutProgress: Coded {
  package static var blank: RolloutProgress { RolloutProgress(total: 0, left: 0, perMinute: 0, node: "", time: 0) }

  package static func members<C: Coder & ~Copyable>(_ it: inout RolloutProgress, _ coder: inout C) throws(C.Failure) {
    try coder.member("left", &it.left)
    try coder.member("node", &it.node)
    try coder.member("perMinute", &it.perMinute)
    try coder.member("time", &it.time)
    try coder.member("total", &it.total)
  }
}
