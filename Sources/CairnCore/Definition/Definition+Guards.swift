#if !CLIENT_ENGINE
  extension Definition {
    /// All conditions in the definition.
    package var guards: [Guard] {
      flows.values.flatMap { flow in
        flow.handle.values.flatMap { $0.branches }.compactMap { $0.when } + flow.adapt.values.joined().map { $0.when }
          + [flow.collapse].compactMap { $0 }
      } + rules.map { $0.when } + links.flatMap { [$0.when, $0.requires].compactMap { $0 } }
        + flows.values.flatMap { $0.tabs.gates }.map { $0.requires }
        + notifications.suppress.map { $0.when } + loads.compactMap { $0.request?.polling?.until }
        + notifications.take.compactMap { $0.when } + contributions.compactMap { $0.leave?.when }
    }

    /// Whether a condition or a timer reads the clock of a time zone.
    var hasZones: Bool { guards.contains { $0.hasZone } || timers.contains { $0.isDaily } }
  }

  extension Guard {
    /// Whether the condition reads the clock of a time zone (`between`).
    fileprivate var hasZone: Bool {
      switch self {
      case .between: true
      case .all(let guards), .any(let guards): guards.contains { $0.hasZone }
      case .not(let inner): inner.hasZone
      default: false
      }
    }
  }
#endif
