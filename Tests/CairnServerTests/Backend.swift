import CairnJournal
import Foundation
import Testing

#if canImport(CairnPostgresTesting)
  import CairnPostgresTesting
#endif

/// The storage of the services in the tests: memory, or with `CAIRN_TEST_BACKEND=postgres` a PostgreSQL database that two nodes share.
enum Backend {
  static let isShared = ProcessInfo.processInfo.environment["CAIRN_TEST_BACKEND"] == "postgres"

  /// The journals of two nodes; `nil` without PostgreSQL.
  static func journals() throws -> (any Journal, any Journal)? {
    #if canImport(CairnPostgresTesting)
      guard isShared else { return nil }
      let schema = try TemporarySchema()
      return (try schema.open(), try schema.open())
    #else
      return nil
    #endif
  }
}

extension Trait where Self == ConditionTrait {
  /// Runs a test only with one node. With two nodes that take turns, its result would differ for the given reason.
  static func oneNode(_ reason: Comment) -> Self { .disabled(if: Backend.isShared, reason) }
}
