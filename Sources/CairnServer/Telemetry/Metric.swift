/// A figure as `/metrics` tells it.
package struct Metric: Sendable, Equatable {
  package enum Kind: String, Sendable { case counter, gauge, histogram }

  /// A value and what it is of.
  package struct Sample: Sendable, Equatable {
    package let labels: [String: String]
    package let value: Double
    /// Behind the name: `_bucket`, `_sum` and `_count` of a histogram.
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

  /// How long something took: counts by upper bound, the last for all that is longer, not summed up; bounds and the sum in nanoseconds.
  package init(_ name: String, _ help: String, bounds: [UInt64], counts: [Int], sum nanoseconds: UInt64) {
    var sum = 0
    var samples: [Sample] = []
    for (bound, count) in zip(bounds.map { "\(Double($0) / 1e9)" } + ["+Inf"], counts) {
      sum += count
      samples.append(Sample(["le": bound], Double(sum), suffix: "_bucket"))
    }
    samples.append(Sample([:], Double(nanoseconds) / 1e9, suffix: "_sum"))
    samples.append(Sample([:], Double(sum), suffix: "_count"))
    self.init(name, .histogram, help, samples)
  }

  /// One value, of all.
  package init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    self.init(name, kind, help, [Sample([:], Double(value))])
  }
}
