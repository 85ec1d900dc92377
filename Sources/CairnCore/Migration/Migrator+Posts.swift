// Converts the posts that clients made for the old definition.
extension Migrator {
  /// Returns the command with the names of the new definition. Throws if a part of the command has no equivalent. `state` is the session's current
  /// state.
  public func mapped(_ command: Command, in state: State, stamp: Stamp) throws(MigrationObstacle) -> Command {
    guard case .action(let action) = command else { return command }
    switch action {
    case .step(let step, let from): return .action(.step(try mapped(step, in: state, stamp), from: from))
    case .gesture(let gesture, let from): return .action(.gesture(try mapped(gesture), from: from))
    case .push(let route): return .action(.push(try mapped(route, in: state, stamp)))
    case .present(let route, let style, let node, let replace):
      return .action(.present(try mapped(route, in: state, stamp), style: style, node: node, replace: replace))
    case .set(let routes):
      var mapped: [Action.Route] = []
      for route in routes { mapped.append(try self.mapped(route, in: state, stamp)) }
      return .action(.set(mapped))
    case .facts(let values): return .action(.facts(try mapped(values)))
    #if !CLIENT_ENGINE
      case .settled(let inner):
        guard case .action(let mapped) = try mapped(.action(inner), in: state, stamp: stamp) else { return command }
        return .action(.settled(mapped))
    #endif
    default: return command
    }
  }

  private func mapped(_ gesture: Gesture) throws(MigrationObstacle) -> Gesture {
    switch gesture {
    case .popTo(.screen(let screen)): .popTo(.screen(try name(ofScreen: screen)))
    case .select(.flow(let flow), let node): .select(.flow(try name(ofFlow: flow)), node: node)
    case .pop, .popTo(.node), .popToRoot, .back, .dismiss, .select(.tab, _): gesture
    }
  }

  private func name(ofScreen screen: String) throws(MigrationObstacle) -> String {
    switch migration.screens[screen] {
    case .keep(let name, _, _)?: return name
    case .replace, .popTo, .remove: throw MigrationObstacle("the screen \(screen) was removed")
    case nil: return screen
    }
  }

  private func name(ofFlow flow: String) throws(MigrationObstacle) -> String {
    switch migration.flows[flow] {
    case .keep(let name, _, _)?: return name
    case .replace, .popTo, .remove: throw MigrationObstacle("the flow \(flow) was removed")
    case nil: return flow
    }
  }

  private func mapped(_ route: Action.Route, in state: State, _ stamp: Stamp) throws(MigrationObstacle) -> Action.Route {
    let name = try name(ofScreen: route.screen)
    guard case .keep(_, let expressions, _)? = migration.screens[route.screen] else { return Action.Route(name, params: route.params) }
    let types = new.definition.screens[name]?.params ?? [:]
    return Action.Route(name, params: carried(route.params, expressions, types, state, stamp))
  }

  private func mapped(_ facts: [String: Value]) throws(MigrationObstacle) -> [String: Value] {
    var mapped: [String: Value] = [:]
    for (name, value) in facts {
      switch migration.facts[name] {
      case .keep(let other)?: mapped[other] = value
      case .remove?: throw MigrationObstacle("the fact \(name) was removed")
      case nil: mapped[name] = value
      }
    }
    return mapped
  }
}
