import CairnServer
import CairnStore
import Foundation
import Testing

@Suite struct `Figures of the process` {
  @Test func `tell when it began (D50)`() throws {
    let metric = try #require(ProcessFigures.metrics().first { $0.name == "process_start_time_seconds" })
    let began = try #require(metric.samples.first).value
    let now = Date().timeIntervalSince1970
    // The kernel counts in hundredths from the machine's start, which it rounds to a second.
    #expect(began <= now + 2 && began > now - 86_400, "\(began) \(now)")
  }

  @Test func `have buckets that are fine enough for objectives, up to a second (D50)`() {
    for (one, next) in zip(Durations.bounds, Durations.bounds.dropFirst()) where next <= 1_000_000_000 {
      #expect(Double(next) / Double(one) <= 2.5, "\(one) \(next)")
    }
  }

  @Test func `name the commit that was built (D50)`() throws {
    let workshop = try Workshop()
    let text = try workshop.send("GET", "/metrics").text
    #expect(text.contains("cairn_build_info{commit=\"unknown\","))
  }
}
