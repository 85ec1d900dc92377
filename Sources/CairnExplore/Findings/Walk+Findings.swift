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

  /// The findings about queues of actions without a network. The observations are sorted by state, and the queues of a state are tried once for all its
  /// findings.
  private func offlineFindings(_ observations: [(key: Observation, value: Location)], _ player: Player) -> [Finding] {
    let trial = OfflineTrial(player, app.catalogue, app.relevance, length: app.limits.queue)
    var last: (state: UInt32, way: Way, faults: [Observation: OfflineTrial.Fault])?
    return observations.map { observation, location in
      let refused = observation.kind == .offline ? "without a network is refused: " : ""
      var text = "\(observation.subject) \(refused)\(observation.reason)"
      if last?.state != location.state {
        last = way(to: location, by: player).map { way in
          (location.state, way, trial.faults(in: way.state, app.catalogue.moves(in: way.state, of: app.reducer)))
        }
      }
      guard let (_, way, faults) = last, let fault = faults[observation] else {
        return Finding(observation.kind, text)
      }
      if let remedy = fault.remedy { text += ", \(remedy)" }
      // A refusal is shown by its code, and any other fault by the tree.
      let then = observation.kind == .offline ? "" : app.reducer.expectation(of: player.settled(fault.state, depth: way.moves.count))
      let scenario = way.scenario(named: "\(observation.kind.rawValue): \(text)", without: fault, then: then)
      return Finding(observation.kind, text, scenario: scenario)
    }
  }

  /// The findings that the scouts recorded during the walk.
  private func seen(_ player: Player) -> [Finding] {
    let sorted = observations.sorted { ($0.value.state, $0.key.subject, $0.key.reason) < ($1.value.state, $1.key.subject, $1.key.reason) }
    let others = sorted.filter { !$0.key.kind.isOfQueue }.map { observation, location -> Finding in
      switch observation.kind {
      case .growth:
        return finding(.growth, "\(observation.subject) keeps adding nodes without any input", location, player) {
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
      case .claim: return finding(.claim, "the claim is not always true: \(observation.subject)", location, player)
      default: return finding(.refused, "\(observation.subject) is in accepts, but is refused: \(observation.reason)", location, player)
      }
    }
    return offlineFindings(sorted.filter { $0.key.kind.isOfQueue }, player) + others
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

  /// Findings about screens, handlers, branches and links that were never reached. Also about held links that were never followed, followed
  /// links whose page was never seen, and claims that test nothing.
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
