/// A figure as `/metrics` tells it.
package struct Metric: Sendable, Equatable {
  package enum Kind: String, Sendable { case counter, gauge }

  /// A value and what it is of.
  package struct Sample: Sendable, Equatable {
    package let labels: [String: String]
    package let value: Double

    package init(_ labels: [String: String], _ value: Double) {
      self.labels = labels
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

  /// One value, of all.
  package init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
    self.init(name, kind, help, [Sample([:], Double(value))])
  }
}
