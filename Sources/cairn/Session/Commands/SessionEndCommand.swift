import ArgumentParser
import CairnClient
import Foundation

/// `cairn session end`: ends the session and removes it from the sessions that are stored on this machine.
struct SessionEndCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "end",
    abstract: "Ends the session, which deletes it on the service, and removes it from the sessions that are stored on this machine.")

  @OptionGroup var options: SessionOptions

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    do throws(ClientError) {
      try await session.end()
    } catch {
      // If the session no longer exists, it is also removed from the stored sessions.
      if error.problem?.isDenial == true, options.key == nil { forget(session) }
      throw error
    }
    forget(session)
    if !options.json { SessionReport(options).print("ended") }
    return .done
  }

  private func forget(_ session: SessionClient) {
    _ = SessionMemory.change(ProcessInfo.processInfo.environment) { $0.sessions.removeAll { $0.id == session.id } }
  }
}
