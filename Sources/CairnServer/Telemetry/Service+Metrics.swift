import CairnHTTP
import CairnStore

// The table of what is told beside the requests. A figure that comes has a line here and one in docs/operations.md, which a test compares.
extension Service {
  /// Everything but the requests themselves, in the order in which it is told.
  var metrics: [Metric] { frontMetrics + storeMetrics(store.figures) + ownMetrics + settings.figures() }

  private var frontMetrics: [Metric] {
    var metrics = [Metric("cairn_http_requests_in_flight", .gauge, "Requests under way.", requestsInFlight)]
    if let http = connections() {
      metrics += [
        Metric("cairn_http_connections", .gauge, "Connections open.", http.connections),
        Metric("cairn_http_connections_cut_total", .counter, "Connections cut off since their client was too slow.", http.cut),
        Metric("cairn_http_connections_refused_total", .counter, "Connections not let in since there were too many.", http.refused),
      ]
    }
    return metrics
  }

  private func storeMetrics(_ store: StoreFigures) -> [Metric] {
    [
      Metric("cairn_commits_total", .counter, "Commits of the journal.", store.commits),
      Metric("cairn_committed_actions_total", .counter, "Entries in all commits.", store.committedActions),
      Metric("cairn_commit_batch_size_max", .gauge, "Most entries in one commit since the start.", store.largestBatch),
      Metric("cairn_queue_depth", .gauge, "Commands that wait for the writer.", store.queueDepth),
      Metric("cairn_queue_limit", .gauge, "Commands that may wait for the writer.", store.queueLimit),
      Metric("cairn_sessions", .gauge, "Sessions in the journal.", store.sessions),
      Metric("cairn_sessions_checked_total", .counter, "Sessions that were looked at for damage.", store.checkedSessions),
      Metric("cairn_sessions_damaged", .gauge, "Sessions known to be damaged.", store.damagedSessions),
      Metric("cairn_journal_up", .gauge, "1 while the journal can be written.", store.journalFault == nil ? 1 : 0),
    ]
  }

  private var ownMetrics: [Metric] {
    let refused = telemetry.refused
    return [
      Metric("cairn_notifications_suppressed_total", .counter, "Notifications that were not shown.", telemetry.suppressions),
      Metric(
        "cairn_refused_total", .counter, "Requests and connections refused, by limit.",
        Limit.allCases.map { .init(["limit": $0.rawValue], Double(refused[$0] ?? 0)) }),
      Metric("cairn_log_dropped_total", .counter, "Log lines dropped since nobody took them fast enough.", telemetry.droppedLines),
      Metric(
        "cairn_build_info", .gauge, "What runs.",
        [.init(["version": settings.version, "libmicrohttpd": Server.libraryVersion], 1)]),
    ]
  }
}
