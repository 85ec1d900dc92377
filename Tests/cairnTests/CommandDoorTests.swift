import ArgumentParser
import Testing

@testable import cairn

/// The commands that bring definitions and sessions into a service or its database, and the checks of these definitions and sessions.
@Suite struct `Commands that bring something in` {
  private enum Door {
    /// The command brings no data into a service or a database.
    case nothing
    /// The command posts to the service, which checks it like any request.
    case service
    /// The command reads definitions from files, and checks them with the limits of its settings.
    case folder
    /// The command imports another database, and checks its definitions and sessions first (`IncomingCheck`).
    case database
  }

  private static let doors: [String: Door] = [
    "serve": .folder, "apps": .folder, "check": .nothing, "fix": .nothing, "test": .nothing, "diff": .nothing, "explore": .nothing,
    "graph": .nothing, "new": .nothing,
    "schema": .nothing, "openapi": .nothing, "types": .nothing, "session": .service, "rollout": .service, "backup": .nothing,
    "restore": .database, "verify": .nothing, "vacuum": .nothing, "key": .nothing, "nodes": .nothing, "copy": .database,
    "migrate": .nothing,
  ]

  @Test func `every command has a door`() {
    #expect(Set(CairnCommand.configuration.subcommands.compactMap { $0.configuration.commandName }) == Set(Self.doors.keys))
  }
}
