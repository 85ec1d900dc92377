import CairnHTTP
import CairnStore

/// The figures in Prometheus' text format, version 0.0.4.
struct MetricsText {
  private(set) var body = ""

  init(_ telemetry: Telemetry, store: StoreFigures, inFlight: Int, http: Server.Counts?, version: String) {
    let requests = telemetry.requests.all.map(Requests.init).sorted { $0.order < $1.order }
    family("cairn_http_requests_total", "counter", "Requests answered, by route template.")
    for request in requests {
      let labels = ["method": request.method, "route": request.route, "status": request.status]
      sample("cairn_http_requests_total", labels, request.series.count)
    }
    histogram(requests)
    single("cairn_http_requests_in_flight", "gauge", "Requests under way.", inFlight)
    if let http {
      single("cairn_http_connections", "gauge", "Connections open.", http.connections)
      single("cairn_http_connections_cut_total", "counter", "Connections cut off since their client was too slow.", http.cut)
      single("cairn_http_connections_refused_total", "counter", "Connections not let in since there were too many.", http.refused)
    }
    single("cairn_commits_total", "counter", "Commits of the journal.", store.commits)
    single("cairn_committed_actions_total", "counter", "Entries in all commits.", store.committedActions)
    single("cairn_commit_batch_size_max", "gauge", "Most entries in one commit since the start.", store.largestBatch)
    single("cairn_queue_depth", "gauge", "Commands that wait for the writer.", store.queueDepth)
    single("cairn_queue_limit", "gauge", "Commands that may wait for the writer.", store.queueLimit)
    single("cairn_sessions", "gauge", "Sessions in the journal.", store.sessions)
    single("cairn_sessions_checked_total", "counter", "Sessions that were looked at for damage.", store.checkedSessions)
    single("cairn_sessions_damaged", "gauge", "Sessions known to be damaged.", store.damagedSessions)
    single("cairn_journal_up", "gauge", "1 while the journal can be written.", store.journalFault == nil ? 1 : 0)
    single("cairn_notifications_suppressed_total", "counter", "Notifications that were not shown.", telemetry.suppressions)
    single("cairn_log_dropped_total", "counter", "Log lines dropped since nobody took them fast enough.", telemetry.droppedLines)
    family("cairn_build_info", "gauge", "What runs.")
    sample("cairn_build_info", ["version": version, "libmicrohttpd": Server.libraryVersion], 1)
  }

  /// A series with its labels.
  private struct Requests {
    let method, route, status: String
    let series: Tally.Series

    var order: (String, String, String) { (route, method, status) }

    init(_ counted: (key: Tally.Key, series: Tally.Series)) {
      method = counted.key.method.rawValue
      route = counted.key.route?.template ?? "none"
      status = String(counted.series.status)
      series = counted.series
    }
  }

  private mutating func histogram(_ requests: [Requests]) {
    let name = "http_server_request_duration_seconds"
    family(name, "histogram", "From the whole request to its answer.")
    for request in requests {
      let labels = ["http_request_method": request.method, "http_route": request.route, "http_response_status_code": request.status]
      var sum = 0
      for (bound, count) in zip(Tally.bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"], request.series.buckets) {
        sum += count
        sample("\(name)_bucket", labels.merging(["le": bound]) { _, last in last }, sum)
      }
      sample("\(name)_sum", labels, "\(Double(request.series.nanoseconds) / 1e9)")
      sample("\(name)_count", labels, request.series.count)
    }
  }

  private mutating func single(_ name: String, _ type: String, _ help: String, _ value: Int) {
    family(name, type, help)
    sample(name, [:], value)
  }

  private mutating func family(_ name: String, _ type: String, _ help: String) {
    body += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func sample(_ name: String, _ labels: [String: String], _ value: some CustomStringConvertible) {
    let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value.labelText)\"" }.joined(separator: ",")
    body += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(list)} \(value)\n"
  }
}

extension String {
  fileprivate var labelText: String { replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") }
}
