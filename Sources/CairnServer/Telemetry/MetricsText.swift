/// Encodes metrics in Prometheus' text format, version 0.0.4.
struct MetricsText {
  private(set) var body = ""

  init(_ tally: Tally, _ metrics: [Metric]) {
    let requests = tally.all.map(Requests.init).sorted { $0.order < $1.order }
    family(
      "cairn_http_requests_total", "counter",
      "Completed requests, by method, route template and status; 499 means that the client disconnected before the response.")
    for request in requests {
      let labels = ["method": request.method, "route": request.route, "status": request.status]
      sample("cairn_http_requests_total", labels, Double(request.series.count))
    }
    histogram(requests)
    for metric in metrics {
      family(metric.name, metric.kind.rawValue, metric.help)
      for each in metric.samples { sample(metric.name + each.suffix, each.labels, each.value) }
    }
  }

  /// The requests of one series, with the values of its labels.
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
    family(name, "histogram", "Time from the arrival of a complete request until its response is ready to be sent.")
    for request in requests {
      let labels = ["http_request_method": request.method, "http_route": request.route, "http_response_status_code": request.status]
      let samples = Metric.histogram(
        labels, bounds: Tally.bounds, counts: request.series.buckets, sum: request.series.nanoseconds)
      for each in samples { sample(name + each.suffix, each.labels, each.value) }
    }
  }

  private mutating func family(_ name: String, _ type: String, _ help: String) {
    body += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
  }

  private mutating func sample(_ name: String, _ labels: [String: String], _ value: Double) {
    let list = labels.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value.labelText)\"" }.joined(separator: ",")
    let text = Int(exactly: value).map(String.init) ?? "\(value)"
    body += labels.isEmpty ? "\(name) \(text)\n" : "\(name){\(list)} \(text)\n"
  }
}

extension String {
  fileprivate var labelText: String { replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") }
}
