import CairnJournal
import CairnServer
import Foundation
import Testing

@Suite struct `Metrics of the process` {
  @Test func `the metrics contain the start time of the process`() throws {
    let metric = try #require(ProcessFigures.metrics().first { $0.name == "process_start_time_seconds" })
    let began = try #require(metric.samples.first).value
    let now = Date().timeIntervalSince1970
    // The kernel counts hundredths of a second since the boot time, which it rounds to a second.
    #expect(began <= now + 2 && began > now - 86_400, "\(began) \(now)")
  }

  @Test func `the buckets below a second are fine enough for service level objectives`() {
    for (one, next) in zip(Durations.bounds, Durations.bounds.dropFirst()) where next <= 1_000_000_000 {
      #expect(Double(next) / Double(one) <= 2.5, "\(one) \(next)")
    }
  }

  @Test func `the metrics name the commit of the build`() throws {
    let workshop = try Workshop()
    let text = try workshop.send("GET", "/metrics").text
    #expect(text.contains("cairn_build_info{commit=\"unknown\","))
  }
}
