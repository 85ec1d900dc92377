import ArgumentParser
import CairnStore

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// `cairn nodes`: lists the nodes of a PostgreSQL database.
struct NodesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nodes",
    abstract: "Lists the nodes on a PostgreSQL database.",
    discussion: """
      Prints one line for each node that runs, or that ended in the last hour without a clean stop: the machine and the process, the \
      version, the seconds since its start, and the seconds since its last sign of life, which a running node writes every five seconds. \
      Commands that have ended, such as cairn apps push, are not listed.
      """)
  @OptionGroup var option: SharedDatabaseOption

  func run() throws {
    do throws(StartFailure) {
      let configuration = try option.read()
      guard configuration.usesPostgres else { throw .tool("a SQLite database has only one node; this command is for PostgreSQL") }
      #if canImport(CairnPostgres)
        let target = try DatabaseOpening(configuration).target
        let nodes: [PostgresNode]
        do {
          nodes = try PostgresNode.all(target)
        } catch {
          throw .tool("\(error)")
        }
        let width = nodes.map(\.name.count).max() ?? 0
        for node in nodes {
          Terminal.print("\(node.name.padded(to: width))  \(node.version)  started \(node.age) s ago, seen \(node.silence) s ago")
        }
      #else
        throw DatabaseOpening.noPostgres
      #endif
    } catch {
      throw fail(error.text)
    }
  }
}
