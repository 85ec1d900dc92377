import ArgumentParser
import CairnClient
import CairnCore
import CairnRuntime
import Foundation
import Glibc

/// `cairn session watch`: shows the session live until it ends.
struct SessionWatchCommand: SessionSubcommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Draws the session live, until the session ends or you press q.",
    discussion: """
      On a terminal the tree is redrawn at each change: a new node is marked +, a changed one ~. To a pipe the command writes a line for
      each change, or with --json the service's events, one per line.
      """)

  @OptionGroup var options: SessionOptions

  func prepare() {
    ProcessSignals.block()
    // The command ends if the reader of its output closes the pipe.
    signal(SIGPIPE, SIG_DFL)
  }

  func play() async throws -> SessionExit {
    let (session, _) = try options.target()
    // After an error the stream retries instead of ending. This request comes first, so that an error is reported immediately.
    let view = try await session.session()
    let isScreen = isatty(STDOUT_FILENO) == 1 && !options.json
    var watch: any Watching =
      if options.json { WatchJSON() } else if isScreen { WatchScreen(view, style: .current()) } else {
        WatchLines(view, SessionReport(options))
      }
    let keyboard = isScreen ? Keyboard() : nil
    defer {
      watch.end()
      keyboard?.restore()
    }
    for await input in WatchInput.all(of: session, after: view.revision, isLive: isScreen, keyboard) {
      switch input {
      case .event(.change(let entry)): watch.show(.change(entry), try await current(session, of: watch))
      case .event(let event): watch.show(event, nil)
      case .failed(let error): throw error
      case .tick: watch.tick()
      case .isOver: return .done
      }
    }
    return .done
  }

  /// Reads the session for its timers and accepted steps, which the stream does not contain. Returns `nil` if the output does not show them
  /// or the session cannot be read.
  private func current(_ session: SessionClient, of watch: any Watching) async throws -> SessionView? {
    guard watch.needsSession else { return nil }
    do throws(ClientError) {
      return try await session.session()
    } catch {
      // The stream itself reports that the service or the session no longer exists.
      return nil
    }
  }
}
