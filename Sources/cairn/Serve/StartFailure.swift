import CairnDefinition
import CairnHTTP
import CairnRuntime
import CairnSQLite
import CairnStore
import Foundation

/// The reason for which a command failed before its work began. The text is one line. For invalid definitions, the text lists all their
/// errors instead.
enum StartFailure: Error, CustomStringConvertible {
  case setting(SettingFault)
  case unreadable(file: String, reason: String)
  case definitions([InvalidDefinition])
  case sameApp(app: String, files: [String])
  /// The folder of definitions does not exist, or may not be read.
  case noFolder(String)
  case noApps(folder: String)
  /// The definitions in the journal could not be read.
  case definitionsNotRead(StoreFault)
  /// The system cannot watch the folder as `--watch` requires.
  case notWatched(folder: String, FolderWatchError)
  case environment(app: String, variable: String, fault: String)
  case key(KeyFile.Fault)
  case journal(SQLiteJournalError)
  case store(Store.StartError)
  case server(ServerError)
  /// The operators' server could not start.
  case adminServer(ServerError)
  case thread(ThreadError)
  /// The file for log lines cannot be opened.
  case logFile(path: String, reason: String)
  /// Another failure, such as that of an external program, with its message.
  case tool(String)

  /// The same as `text`, so that code that handles any error, such as the player of a scenario, prints the text.
  var description: String { text }

  var text: String {
    switch self {
    case .setting(let fault): fault.text
    case .unreadable(let file, let reason): "\(file): cannot be read: \(reason)"
    case .definitions(let invalid): invalid.map(\.description).joined(separator: "\n")
    case .sameApp(let app, let files): "the app \(app) is defined by more than one file: \(files.joined(separator: ", "))"
    case .noFolder(let folder):
      "\(Self.whole(folder)): the folder does not exist or cannot be read; name the folder of your definitions (cairn serve --apps)"
        + Self.orNew
    case .noApps(let folder):
      "\(Self.whole(folder)): the folder has no definition (*.yaml, *.yml or *.json); name another folder (cairn serve --apps)"
        + Self.orNew
    case .definitionsNotRead(.storage(let reason)): "the definitions in the database cannot be read: \(reason)"
    case .definitionsNotRead(let fault): "the definitions in the database cannot be read: \(fault)"
    case .notWatched(let folder, .refused(let code)):
      "\(folder): cannot be watched (error \(code)); raise fs.inotify.max_user_watches or max_user_instances"
    case .environment(let app, let variable, let fault): "\(variable), which \(app) reads, \(fault)"
    case .key(let fault): "\(fault)"
    case .journal(let error): "\(error)"
    case .store(.journal(let error)): "\(error)"
    case .store(.thread(let code)): "a thread could not be started (error \(code)); raise the limits on threads and memory"
    case .store(.alreadyStarted): "the store was started twice"
    case .server(let error): Self.text(of: error, host: "--host", port: "--port")
    case .adminServer(let error): Self.text(of: error, host: "--admin", port: "--admin")
    case .thread(.refused(let code)): "a thread could not be started (error \(code)); raise the limits on threads and memory"
    case .logFile(let path, let reason): "\(path): the log file cannot be opened: \(reason)"
    case .tool(let reason): reason
    }
  }

  private static let orNew = ", or create the folder of an app: cairn new notes"

  /// The absolute path of a folder. A relative path would not tell the reader in which folder the program was started.
  private static func whole(_ folder: String) -> String {
    folder.hasPrefix("/") ? folder : "\(FileManager.default.currentDirectoryPath)/\(folder)"
  }

  /// Describes an error of the server. `host` and `port` are the flags that set the address.
  private static func text(of error: ServerError, host flag: String, port portFlag: String) -> String {
    switch error {
    case .addressInUse(let host, let port):
      "port \(port) on \(host) is in use; stop the program that uses it, or choose another port with \(portFlag)"
    case .permissionDenied(let host, let port): "port \(port) on \(host) needs privileges; choose a port above 1023 with \(portFlag)"
    case .addressNotAvailable(let host): "\(host) is not an address of this machine; set an address literal or localhost with \(flag)"
    case .cannotListen(let reason): "cannot listen: \(reason)"
    case .libraryNotObserved:
      "this build of libmicrohttpd cannot be used, because its calls do not go through the dynamic linker; use the build of your distribution"
    case .libraryRefused: "libmicrohttpd did not start; its log lines above contain the reason"
    }
  }
}
