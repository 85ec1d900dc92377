/// One or more migrations, performed one after the other as one change of the session.
public struct MigrationChain: Sendable {
  private let migrators: [Migrator]

  /// Each migrator must begin with the definition with which the previous one ends.
  public init(_ migrators: [Migrator]) { self.migrators = migrators }

  /// Replaces a state of the first definition by a state of the last definition. The new state has the next revision. See
  /// `Migrator.migrate`.
  public func migrate(
    _ state: inout State, environment: [String: String] = [:], stamp: Stamp, meter: inout Meter
  ) throws(MigrationObstacle) -> Transition {
    var next = state
    var events: [Event] = []
    for migrator in migrators {
      events += try migrator.migrate(&next, environment: environment, stamp: stamp, meter: &meter).events
      next.revision = state.revision + 1
    }
    var changes: [Change] = []
    if let first = migrators.first, let last = migrators.last { changes = last.new.changes(from: state, by: first.old, to: next) }
    let transition = Transition(
      outcome: .performed, events: events, changes: changes, started: next.effectsStarted(since: state),
      cancelled: state.effectsOver(in: next))
    state = next
    return transition
  }

  /// Migrates a state without bounds on its size and on the work.
  public func migrate(_ state: inout State, stamp: Stamp) throws(MigrationObstacle) -> Transition {
    var meter = Meter.idle
    return try migrate(&state, stamp: stamp, meter: &meter)
  }

  /// Returns the command with the names of the last definition. Throws if a part of the command has no equivalent.
  public func mapped(_ command: Command, in state: State, stamp: Stamp) throws(MigrationObstacle) -> Command {
    var command = command
    for migrator in migrators { command = try migrator.mapped(command, in: state, stamp: stamp) }
    return command
  }
}

extension MigrationChain {
  /// The sorted names of the first migration's rules that apply to a state, such as `screens.promo`.
  public func lines(for state: State) -> [String] { migrators.first?.lines(for: state) ?? [] }
}

extension Migrator {
  /// The sorted names of the rules that apply to a state: the rules for its existing nodes and its facts, and all rules for values. Rules for steps
  /// are omitted.
  func lines(for state: State) -> [String] {
    var lines: Set<String> = []
    for node in state.nodes.values {
      if let flow = node.flow, migration.flows[flow] != nil { lines.insert("flows.\(flow)") }
      if node.isLeaf, migration.screens[node.name] != nil { lines.insert("screens.\(node.name)") }
    }
    for name in state.facts.keys where migration.facts[name] != nil { lines.insert("facts.\(name)") }
    for name in migration.values.keys { lines.insert("values.\(name)") }
    return lines.sorted()
  }
}
