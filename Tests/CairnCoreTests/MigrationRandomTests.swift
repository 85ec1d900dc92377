import CairnCore
import CairnRuntime
import CairnTesting
import Testing

/// A random session that moves between definitions with the same names up to a suffix. Random actions have names without a suffix, and are then mapped to the
/// session's names.
private struct Journey {
  var drive: MigrationDrive
  var chance: Chance
  /// The definition without a suffix.
  private var base: Definition
  /// The number of suffixes at the session's names.
  private var count = 0
  private var pasts: [(past: MigrationDrive.Past, base: Definition, count: Int)] = []

  /// `nil` if the definition loops at its start.
  init?(_ definition: Definition, seed: Int) {
    guard let drive = try? MigrationDrive(definition, creation: Creation(manualClock: true, manualRequests: seed % 2 == 0)) else {
      return nil
    }
    (self.drive, base) = (drive, definition)
    chance = Chance(seed: UInt64(seed) &* 7_919 &+ 5)
  }

  /// The broken invariants.
  var broken: [String] { drive.broken }

  private var sketch: String { drive.sketch.replacing(MigrationRenaming.suffix, with: "").replacing("~loading", with: "") }

  mutating func act() {
    if chance.isHeads(oneIn: 8) { return drive.advance(chance.below(4_000)) }
    let action = RandomAction.panes(&chance, for: drive.state)
    drive.run(mapped(action) ?? action)
    if chance.isHeads(oneIn: 4) { pasts.append((drive.past, base, count)) }
    if pasts.count > 8 { pasts.removeFirst() }
  }

  /// Runs an action, and up to five more while the tree has fewer than six nodes.
  mutating func grow() {
    act()
    for _ in 0..<5 where drive.state.nodes.count < 6 { act() }
  }

  private func mapped(_ action: Action) -> Action? {
    if count == 0 { return action }
    let migrator = Migrator(
      from: Reducer(base, zones: ZoneFiles.content), to: drive.reducer, by: MigrationRenaming.migration(from: base, count))
    let stamp = Stamp(time: 1, nonce: "map")
    guard case .action(let action)? = try? migrator.mapped(.action(action), in: drive.state, stamp: stamp) else { return nil }
    return action
  }

  /// Moves to the same definition, which must change only the revision. Returns the fault, or `nil`.
  mutating func stay() -> String? {
    var state = drive.state
    drive.migrate(to: Reducer(drive.reducer.definition, zones: ZoneFiles.content), by: Migration())
    state.revision += 1
    return drive.reason == nil && drive.state == state && drive.last.changes == [] ? nil : "\(drive.reason ?? "changed") at \(drive.sketch)"
  }

  /// Moves to a copy of the definition with other names, and runs the next action in both definitions. Returns the difference between the results.
  mutating func rename() -> String? {
    var old = self
    let migration = MigrationRenaming.migration(from: drive.reducer.definition, 1)
    drive.migrate(to: Reducer(MigrationRenaming(count + 1).definition(base), zones: ZoneFiles.content), by: migration)
    if let reason = drive.reason { return reason }
    count += 1
    if sketch != old.sketch { return "\(old.sketch) has become \(sketch)" }
    guard old.drive.state.effects.isEmpty else { return nil }
    for _ in 0..<4 {
      let action = RandomAction.panes(&chance, for: drive.state)
      drive.run(mapped(action) ?? action)
      old.drive.run(old.mapped(action) ?? action)
      if sketch != old.sketch { return "after \(action), \(old.sketch) is \(sketch)" }
      if drive.steps.map(plain) != old.drive.steps.map(plain) { return "after \(action), \(old.drive.steps) are \(drive.steps)" }
    }
    return nil
  }

  private func plain(_ text: String) -> String { text.replacing(MigrationRenaming.suffix, with: "") }

  /// Returns the session to a random earlier state. Returns the difference between the trees, or `nil`.
  mutating func undo() -> String? {
    guard !pasts.isEmpty else { return nil }
    let past = chance.pick(pasts)
    drive.undo(to: past.past)
    (base, count) = (past.base, past.count)
    // A load that was running at the earlier revision and has ended since is idle.
    let sketches = [drive.sketch, past.past.tree.sketch].map { $0.replacing("~loading", with: "") }
    return sketches[0] == sketches[1] ? nil : "\(sketches[1]) came back as \(sketches[0])"
  }

  /// Moves to another definition if the tree has enough nodes. Most of these migrations can keep the root.
  mutating func moveIfGrown(_ seed: Int) {
    guard drive.state.nodes.count > 3 || chance.isHeads(oneIn: 8), let root = drive.state.nodes[drive.state.root]?.flow else { return }
    let kind = drive.reducer.definition.flows[root]?.container
    let all = (0..<8).lazy.map { RandomDefinition.panes(seed: UInt64(seed &* 8 &+ $0)) }
    move(to: all.first { $0.flows["flow0"]?.container == kind } ?? all[0])
  }

  /// Moves to any definition with random fates, if the migration is possible.
  private mutating func move(to new: Definition) {
    let root = drive.state.nodes[drive.state.root]?.flow
    let migration = RandomMigration.make(&chance, from: base, renamed: count, root: root, to: new)
    drive.migrate(to: Reducer(new, zones: ZoneFiles.content), by: migration)
    if drive.reason == nil { (base, count) = (new, 0) }
  }
}

@Suite struct `Migration of random sessions` {
  private static let seeds = 0..<60

  private func journey(_ seed: Int) -> Journey? {
    var definition = seed % 2 == 0 ? RandomDefinition.panes(seed: UInt64(seed)) : RandomDefinition.whole(seed: UInt64(seed))
    // No definition file can declare a split that begins empty and collapses. It would collapse only at the next write of a fact, so a
    // migration would change it.
    for (name, flow) in definition.flows where flow.initialChildren == .empty { definition.flows[name]?.collapse = nil }
    return Journey(definition, seed: seed)
  }

  @Test(arguments: seeds) func `a session with other names goes on like one with the old names`(seed: Int) throws {
    guard var journey = journey(seed) else { return }
    for _ in 0..<30 where journey.drive.state.nodes.count < 100 {
      journey.act()
      if journey.chance.isHeads(oneIn: 6) {
        let fault = journey.stay()
        #expect(fault == nil)
      }
      if journey.chance.isHeads(oneIn: 6) {
        let fault = journey.rename()
        #expect(fault == nil)
        if fault != nil { break }
      }
    }
    #expect(journey.broken == [])
  }

  @Test(arguments: seeds) func `a session goes back to any earlier state, and on from there`(seed: Int) throws {
    guard var journey = journey(seed) else { return }
    for _ in 0..<40 where journey.drive.state.nodes.count < 100 {
      journey.act()
      if journey.chance.isHeads(oneIn: 5) {
        let fault = journey.undo()
        #expect(fault == nil)
      }
    }
    #expect(journey.broken == [])
  }

  @Test(arguments: seeds) func `a session moves to any definition with any fates, or stays as it is`(seed: Int) throws {
    guard var journey = journey(seed) else { return }
    for count in 0..<40 where journey.drive.state.nodes.count < 100 {
      journey.grow()
      switch journey.chance.below(12) {
      case 0, 1, 2: journey.moveIfGrown(seed &* 41 &+ count)
      case 3: _ = journey.rename()
      case 4: _ = journey.undo()
      case 5: _ = journey.stay()
      default: break
      }
      if !journey.broken.isEmpty { break }
    }
    #expect(journey.broken == [])
  }
}
