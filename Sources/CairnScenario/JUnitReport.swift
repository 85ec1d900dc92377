/// Writes the results of scenarios as JUnit XML, which CI systems read.
package struct JUnitReport {
  private var suites: [String] = []

  package init() {}

  /// Adds the results of a scenario file.
  package mutating func add(_ results: [ScenarioResult], file: String) {
    let failures = results.filter { $0.failure != nil }.count
    let cases = results.map { result in
      let name = escaped(result.scenario.title)
      guard let failure = result.failure else { return "    <testcase classname=\"\(escaped(file))\" name=\"\(name)\"/>" }
      let text = escaped(failure.differences.joined(separator: "\n"))
      return """
            <testcase classname="\(escaped(file))" name="\(name)">
              <failure message="\(escaped(file)):\(failure.line)">\(text)</failure>
            </testcase>
        """
    }
    suites.append(
      """
        <testsuite name="\(escaped(file))" tests="\(results.count)" failures="\(failures)">
      \(cases.joined(separator: "\n"))
        </testsuite>
      """)
  }

  /// The XML document.
  package var text: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n\(suites.joined(separator: "\n"))\n</testsuites>\n"
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
  }
}

/// The result of a scenario.
package struct ScenarioResult: Sendable {
  package var scenario: Scenario
  /// The failure; `nil` if the scenario passed.
  package var failure: ScenarioFailure?

  package init(scenario: Scenario, failure: ScenarioFailure?) {
    self.scenario = scenario
    self.failure = failure
  }
}
