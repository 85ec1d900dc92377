import ArgumentParser
import CairnClient
import CairnCore
import Foundation

/// Shell completion for the session commands: the names of stored sessions, and names that the service returns.
enum SessionCompletion {
  /// The names of the remembered sessions.
  static let sessions = CompletionKind.custom { _, _, _ in
    SessionMemory.load(ProcessInfo.processInfo.environment).sessions.map(\.name)
  }

  /// The names of the service's apps.
  static let apps = CompletionKind.custom { words, _, _ in
    asked { try await options(words).client().apps().keys.sorted() }
  }

  /// The steps that the session accepts now.
  static let steps = CompletionKind.custom { words, _, _ in
    asked { try await options(words).target().0.session().accepts.steps.map(\.step) }
  }

  /// Waits for names from the service. Returns an empty list if the request fails.
  private static func asked(_ work: @escaping @Sendable () async throws -> [String]) -> [String] { (try? Blocking.run(work)) ?? [] }

  /// Returns the service, session and credential that the command line names so far.
  static func options(_ words: [String]) -> SessionOptions {
    func value(_ name: String) -> String? {
      if let place = words.lastIndex(of: name), words.indices.contains(place + 1) { return words[place + 1] }
      return words.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
    var options = SessionOptions()
    (options.url, options.session, options.secret, options.key) = (value("--url"), value("--session"), value("--secret"), value("--key"))
    options.json = false
    return options
  }
}
