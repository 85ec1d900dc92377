import CairnCore
import CairnDefinition

// Reports the findings of a walk as text, each with the shortest path to it.
extension Walk {
  /// Whether parts that were not reached count as unreachable: higher limits would reach no other parts, and all values that conditions
  /// distinguish were tried.
  var isCertain: Bool { isSettled && app.doubts.isEmpty }

  /// The findings, grouped by kind. Each handler, branch, screen and claim is reported once per kind.
  func findings() -> [Finding] {
    let player = Player(app.reducer)
    if app.migrator != nil { return seen(player).filter { $0.kind == .migration } }
    let found = deadEnds(player) + (isCertain ? missing(player) : []) + seen(player) + unreachable(player)
    return Finding.Kind.allCases.flatMap { kind in found.filter { $0.kind == kind } }
  }

  private func finding(_ kind: Finding.Kind, _ text: String, _ location: Location?, _ player: Player, going: ((inout Way) -> Void)? = nil)
    -> Finding
  {
    guard let location, var way = way(to: location, by: player) else { return Finding(kind, text) }
    going?(&way)
    return Finding(kind, text, scenario: way.scenario(named: "\(kind.rawValue): \(text)", then: way.seen(by: app.reducer)))
  }

  /// A state that cannot move, with a scenario whose last line is the migration.
  private func migrationFinding(_ reason: String, _ location: Location, _ player: Player) -> Finding {
    let text = "a session cannot be migrated: \(reason)"
    guard let way = way(to: location, by: player) else { return Finding(.migration, text) }
    let scenario = way.scenario(named: "migration: \(text)", migratingTo: "{ refused: not-migrated }")
    return Finding(.migration, text, scenario: scenario)
  }

  /// A queue of actions without a network, the last of which is refused.
  private func offlineFinding(_ observation: Observation, _ location: Location, _ player: Player) -> Finding {
    let text = "\(observation.subject) without a network is refused: \(observation.reason)"
    guard let way = way(to: location, by: player) else { return Finding(.offline, text) }
    let moves = app.catalogue.moves(in: way.state, of: app.reducer)
    let trial = OfflineTrial(player, app.catalogue, length: app.limits.queue)
    let refused = trial.refused(in: way.state, moves).first { $0.observation == observation }
    return Finding(.offline, text, scenario: refused.map { way.scenario(named: "offline: \(text)", without: $0) })
  }

  /// The findings that the scouts recorded during the walk.
  private func seen(_ player: Player) -> [Finding] {
    observations.sorted { ($0.value.state, $0.key.subject, $0.key.reason) < ($1.value.state, $1.key.subject, $1.key.reason) }.map {
      observation, location in
      switch observation.kind {
      case .growth:
        return finding(.growth, "\(observation.subject) keeps adding nodes or content without any input", location, player) {
          way in
          for _ in 0..<3 {
            let moves = app.catalogue.moves(in: way.state, of: app.reducer)
            if let next = moves.first(where: { $0.maker == .nature }) { go(&way, next, by: player) }
          }
        }
      case .restart:
        return finding(.restart, "\(observation.subject) keeps restarting its load without any input", location, player)
      case .stepLoop: return finding(.stepLoop, "\(observation.subject) leads to steps that send each other without end", location, player)
      case .dropped: return finding(.dropped, "\(observation.subject) is dropped: \(observation.reason)", location, player)
      case .migration: return migrationFinding(observation.subject, location, player)
      case .offline: return offlineFinding(observation, location, player)
      case .claim: return finding(.claim, "the claim is not always true: \(observation.subject)", location, player)
      default: return finding(.refused, "\(observation.subject) is in accepts, but is refused: \(observation.reason)", location, player)
      }
    }
  }

  /// States from which neither an action nor waiting makes progress. States beyond the limits may have a way out, so they are not reported.
  /// Returns at most 50 findings.
  private func deadEnds(_ player: Player) -> [Finding] {
    let alive = ground.traits.map { $0.contains(.isAlive) || $0.contains(.isEdge) || !$0.contains(.isExpanded) }
    let kept = ground.backwards(from: alive) { $0 == .nature || $0 == .device }
    var description: Set<String> = []
    var findings: [Finding] = []
    for state in kept.indices where !kept[state] {
      guard description.count < 50, let way = way(to: Location(state: UInt32(state)), by: player) else { break }
      let front = app.reducer.front(of: way.state)
      let fault = front.map { "no action on \($0.screen) makes progress" } ?? "nothing is visible, and no action makes progress"
      let why = front?.isHeard == false ? ", because the flow that handles its steps has ended" : ""
      guard description.insert(fault + why).inserted else { continue }
      findings.append(finding(.dead, fault + why, Location(state: UInt32(state)), player))
    }
    return findings
  }

  /// Screens, handlers, branches and links that were never reached.
  func missing(_ player: Player) -> [Finding] {
    let definition = app.catalogue.definition
    var findings = definition.screens.keys.sorted().filter { reached.screens[$0] == nil }.map {
      Finding(.unreached, "the screen \($0) is never shown")
    }
    let branches = player.trail.branches
    let handlers = Dictionary(grouping: branches.indices) { "\(branches[$0].flow) \(branches[$0].step)" }
    for (handler, numbers) in handlers.sortedByKey {
      let locations = numbers.compactMap { reached.branches[$0] }
      if locations.isEmpty {
        findings.append(Finding(.unreached, "the handler \(handler) never runs"))
        continue
      }
      for number in numbers where reached.branches[number] == nil {
        // The path leads to the nearest state in which another branch of the handler runs.
        findings.append(
          finding(
            .unreached, "\(branches[number].text(of: definition)) never runs", locations.min { $0.state < $1.state },
            player))
      }
    }
    for (place, link) in definition.links.enumerated() where reached.followed[place] == nil {
      if let location = reached.held[place] {
        findings.append(finding(.unresumed, "the link \(link.pathText) is held but never followed", location, player))
      } else {
        findings.append(Finding(.unreached, "the link \(link.pathText) is never followed"))
      }
    }
    for (place, location) in reached.followed.sorted(by: { $0.key < $1.key }) where !reached.seen.contains(place) {
      let path = definition.links[place].pathText
      findings.append(finding(.unseen, "the page of the link \(path) is never seen, because something always covers it", location, player))
    }
    return findings + claimsAboutNothing
  }

  /// Claims whose `when` or `from` is never true. Such claims are true for any app, so they have no value as tests.
  private var claimsAboutNothing: [Finding] {
    let always = app.claims.always.enumerated().filter { !reached.judged.contains($0.offset) }.map {
      Finding(.claim, "the claim tests nothing, because its when is never true: \($0.element.name)")
    }
    let reachable = app.claims.reachable.enumerated().filter { number, claim in
      claim.kind == .claim && !ground.traits.indices.contains { ground.claim(number, in: $0).begins }
    }
    return always + reachable.map { Finding(.claim, "the claim tests nothing, because its from is never true: \($0.element.name)") }
  }

  /// Claims about reachability that are false, including the built-in claims about guarded nodes and overlays.
  private func unreachable(_ player: Player) -> [Finding] {
    app.claims.reachable.enumerated().compactMap { number, claim in
      let goals = ground.traits.indices.map { state in
        ground.claim(number, in: state).ends || ground.traits[state].contains(.isEdge) || !ground.traits[state].contains(.isExpanded)
      }
      let kept = ground.backwards(from: goals) { $0 != .outside }
      guard let state = kept.indices.first(where: { !kept[$0] && ground.claim(number, in: $0).begins }) else { return nil }
      return finding(claim.kind, claim.text, Location(state: UInt32(state)), player)
    }
  }
}
