import CairnCore
import CairnStore
import CairnTesting
import Foundation
import Testing

@testable import CairnServer

@Suite(.tags(.timing), .ownThreads) struct `Metrics of the service` {
  @Test func `docs/operations.md has every metric, and no other`() throws {
    let workshop = try Workshop()
    let told = try workshop.send("GET", "/metrics").text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }.map {
      String($0.split(separator: " ")[2])
    }
    let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/operations.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let documented = text.matches(of: /\| `((?:cairn|http|process)_[a-z_]+)`/).map { String($0.1) }
    // Only the executable reports the figures of its process and the number of outgoing calls.
    let others = ProcessFigures.metrics().map(\.name) + ["cairn_outbound_calls_total"]
    #expect(Set(documented) == Set(told + others))
    #expect(documented.count == Set(documented).count)
  }

  @Test func `the process reports its resources`() {
    let metrics = ProcessFigures.metrics()
    for name in ["process_resident_memory_bytes", "process_open_fds", "process_max_fds", "process_cpu_seconds_total"] {
      #expect(metrics.first { $0.name == name }?.samples.first?.value ?? 0 > 0, "\(name)")
    }
  }

  @Test func `durations have buckets up to 30 s`() {
    #expect(Tally.bounds.last == 30_000_000_000 && Tally.bounds == Tally.bounds.sorted())
  }

  @Test func `a histogram is cumulative and in seconds`() {
    let metric = Metric("x_seconds", "How long.", bounds: [1_000_000, 2_000_000_000], counts: [3, 1, 2], sum: 9_500_000_000)
    #expect(
      MetricsText(Tally(), [metric]).body.hasSuffix(
        """
        # HELP x_seconds How long.
        # TYPE x_seconds histogram
        x_seconds_bucket{le="0.001"} 3
        x_seconds_bucket{le="2.0"} 4
        x_seconds_bucket{le="+Inf"} 6
        x_seconds_sum 9.5
        x_seconds_count 6

        """))
  }

  @Test func `outgoing calls are counted by host and result, and further hosts are counted together`() throws {
    let stub = StubOutbound()
    let tally = OutboundTally(stub)
    func call(_ url: String, _ result: OutboundResult) throws {
      _ = tally.send(.get(url: url, bearer: nil)) { _ in }
      try stub.end(stub.count - 1, result)
    }
    try call("https://API.example/x?secret=1", .json(.null))
    try call("https://api.example/y", .failed("http-status: 503"))
    try call("http://me:word@api.example:81", .failed("unreachable: nobody listens there"))
    try call("nonsense", .failed("timeout"))
    try call("https://left.example", .failed("cancelled: the call was cancelled"))
    for number in 1...200 { try call("https://h\(number).example", .json(.null)) }
    let samples = tally.metric.samples
    func count(_ host: String, _ result: String) -> Double? { samples.first { $0.labels == ["host": host, "result": result] }?.value }
    #expect(count("api.example", "ok") == 1 && count("api.example", "http-503") == 1)
    #expect(count("api.example:81", "unreachable") == 1 && count("none", "timeout") == 1)
    #expect(count("left.example", "cancelled") == 1 && count("left.example", "unreachable") == nil)
    #expect(count("other", "ok") == 104 && Set(samples.map { $0.labels["host"] }).count == 101)
  }
}
