/// One metric in the response of `/metrics`.
package struct Metric: Sendable, Equatable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  /// A value and its labels.
  package struct Sample: Sendable, Equatable {
    package let labels: [String: String]
    package let value: Double
    /// The text after the metric's name: `_bucket`, `_sum` or `_count` for a histogram, empty for other kinds.
    package let suffix: String

    package init(_ labels: [String: String], _ value: Double, suffix: String = "") {
      self.labels = labels
      self.suffix = suffix
      self.value = value
    }
  }

  package let name: String
  package let kind: Kind
  package let help: String
  package let samples: [Sample]

  package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  /// Creates a histogram of durations. `counts` has one count per bucket, not cumulative. Its last element counts durations above all
  /// bounds. Bounds and sum are in nanoseconds; the samples are in seconds.
  package init(_ name: String, _ help: String, bounds: [UInt64], counts: [Int], sum nanoseconds: UInt64) {
    self.init(name, .histogram, help, Self.histogram([:], bounds: bounds, counts: counts, sum: nanoseconds))
  }

  /// The samples of one histogram, for a metric that has several histograms with different labels.
  package static func histogram(_ labels: [String: String], bounds: [UInt64], counts: [Int], sum nanoseconds: UInt64) -> [Sample] {
    var sum = 0
    var samples: [Sample] = []
    for (bound, count) in zip(bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"], counts) {
      sum += count
      samples.append(Sample(labels.merging(["le": bound]) { _, last in last }, Double(sum), suffix: "_bucket"))
    }
    samples.append(Sample(labels, Double(nanoseconds) / 1e9, suffix: "_sum"))
    samples.append(Sample(labels, Double(sum), suffix: "_count"))
    return samples
  }

  /// Creates a metric with a single value and no labels.
  package init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    self.init(name, kind, help, [Sample([:], Double(value))])
  }
}
