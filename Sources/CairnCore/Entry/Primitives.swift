#if !CLIENT_ENGINE
  /// The actions by which operators and tests change the tree directly.
  enum Primitives {
    static func perform(_ run: inout Run, _ action: Action) throws(Refusal) -> NoChange? {
      let leaf = Gestures.visibleEnd(run)
      let owner = run.state.handlingFlow(of: leaf) ?? run.state.root
      switch action {
      case .push(let route):
        let template = try template(run, route, at: "")
        try Children.append(&run, template, to: try StackOperations.nearestStack(run, of: leaf), owner: owner, scope: Scope())
      case .present(let route, let style, let node, let replace):
        if let node {
          try Checks.checkLiving(run, node, at: "/node")
          if let record = run.state.nodes.record(node) { try Levels.checkLevel(run, record) }
          guard run.state.nodes.record(node)?.isOverlay != true else {
            throw Refusal(
              .invalid, "\(node) is an overlay, and overlays cannot present modals",
              faults: [.init(pointer: "/node", detail: "must not be the id of an overlay")])
          }
        }
        let template = try template(run, route, at: "")
        try Modals.present(&run, template, style: style, on: node ?? leaf, replace: replace, owner: owner, scope: Scope())
      case .set(let routes):
        let stack = try StackOperations.nearestStack(run, of: leaf)
        var templates: [NodeTemplate] = []
        for (index, route) in routes.enumerated() { templates.append(try template(run, route, at: "/stack/\(index)")) }
        guard !templates.isEmpty else {
          throw Refusal(.invalid, "a stack must not be empty", faults: [.init(pointer: "/stack", detail: "must have at least one screen")])
        }
        let handlingFlow = run.state.nodes.record(stack)?.isFlow == true ? stack : owner
        try Children.fill(&run, stack, with: templates, owner: handlingFlow, scope: Scope())
      case .remove(let node):
        try Checks.checkLiving(run, node, at: "/node")
        try Gestures.checkInFront(run, node)
        if run.state.nodes.record(node)?.isOverlay == true {
          Removal.leave(&run, node)
          return nil
        }
        guard let parent = run.state.nodes.record(node)?.parentID, let container = run.state.nodes.record(parent),
          container.rules?.takesPushes(container, in: run.state.nodes) == true
        else {
          throw Refusal(.noStack, "\(node) is not on a stack")
        }
        guard StackOperations.childCount(run, of: parent) > 1 else { return .atRoot }
        Removal.leave(&run, node)
      default: break
      }
      return nil
    }

    /// Checks the params of a route, and returns the template of its screen. Throws `invalid` if the screen or a param is unknown, or if a
    /// value does not fit. `pointer` is the JSON Pointer to the route in the action.
    static func template(_ run: borrowing Run, _ route: Action.Route, at pointer: String) throws(Refusal) -> NodeTemplate {
      guard let screen = run.definition.screens.value(exactly: route.screen) else {
        let known = run.definition.screens.keys.sorted().joined(separator: ", ")
        throw Refusal(
          .invalid, "\(run.definition.app) has no screen \(route.screen)",
          faults: [.init(pointer: "\(pointer)/screen", detail: "must be one of \(known)")])
      }
      let params = try Checks.check(route.params, against: screen.params, of: "the screen \(route.screen)", at: "\(pointer)/params")
      return run.program.compile(screen: route.screen, params: params)
    }
  }
#endif
