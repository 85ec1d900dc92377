// Determines which captures of links and which values of notifications become secret params.
#if !CLIENT_ENGINE
  extension Definition {
    /// Whether a step receives a value unchanged as a secret param. `source` is the name of a capture, or of a value of a notification.
    func isSecret(_ source: String, in template: StepTemplate) -> Bool {
      guard let types = steps[template.step]?.params else { return false }
      return template.with.contains { name, expression in
        guard case .reference(.param(let read)) = expression, read.isExactly(source) else { return false }
        return types[name]?.isSecret == true
      }
    }

    /// Whether a link passes a capture to a secret param.
    func isSecret(_ capture: String, of link: LinkDefinition) -> Bool {
      link.steps.contains { isSecret(capture, in: $0) } || link.otherwise.map { isSecret(capture, in: $0) } == true
    }

    /// Whether a notification passes a value to a secret param.
    func isSecret(notified name: String) -> Bool {
      notifications.take.contains { if case .step(let template) = $0.routing { isSecret(name, in: template) } else { false } }
    }

    /// Whether a notification opens a value as a URL.
    func isURL(notified name: String) -> Bool {
      notifications.take.contains {
        guard case .link(.reference(.param(let read))) = $0.routing else { return false }
        return read.isExactly(name)
      }
    }
  }
#endif
