extension Definition {
  /// Finds the first link in file order that takes a URL: its condition `when` is true, its path matches, and its captures have the types
  /// of the steps' params. Returns the index of the link and its captures. If no link takes the URL, `misfit` is the fault of the first
  /// link whose path matches; `nil` if no path matches.
  func link(taking url: LinkURL, where holds: (Guard) -> Bool) -> (place: Int?, captures: [String: String], misfit: Refusal?) {
    var misfit: Refusal?
    for (place, link) in links.enumerated() {
      if let when = link.when, !holds(when) { continue }
      do throws(BadEscape) {
        guard let captures = try link.captures(from: url) else { continue }
        guard let fault = self.misfit(link, captures.mapValues { Value(capture: $0) }) else { return (place, captures, nil) }
        misfit = misfit ?? fault
      } catch {
        misfit = misfit ?? error.refusal
      }
    }
    return (nil, [:], misfit)
  }

  /// Returns the reason why a capture does not have the type of its param; `nil` if all captures do.
  private func misfit(_ link: LinkDefinition, _ captures: [String: Value]) -> Refusal? {
    #if !CLIENT_ENGINE
      // If the URL has a secret for a param that is not secret, the URL was sealed for another link.
      for (name, value) in captures {
        if case .sealed = value, !isSecret(name, of: link) { return unknownLink }
      }
    #endif
    for template in link.steps {
      let faults = misfits(of: template, captures) { _ in "/url" }
      if !faults.isEmpty { return Refusal(.invalid, "the values from the link are invalid for the step \(template.step)", faults: faults) }
    }
    return nil
  }

  /// Checks the given values that become params of a step: converts each to the type of its param, and returns the faults. Only a param
  /// whose expression is a single reference is checked. `place` returns the JSON Pointer to the value with the given name. A text fits a
  /// secret param, because sealing replaces it later.
  func misfits(of template: StepTemplate, _ given: [String: Value], at place: (String) -> String) -> [Refusal.Fault] {
    let types = steps[template.step]?.params ?? [:]
    return template.with.sortedByKey.compactMap { name, expression in
      guard case .reference(.param(let source)) = expression, let type = types[name] else { return nil }
      let fault =
        if let value = given[source] {
          type.isSecret && value.isString ? nil : type.fault(of: type.reading(value))
        } else {
          type.isOptional || type.defaultValue != nil ? nil : "is missing; it must be of type \(type.kind.rawValue)"
        }
      return fault.map { .init(pointer: place(source), detail: "\(name) \($0)") }
    }
  }
}
