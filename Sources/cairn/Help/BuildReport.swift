import CBuild
import CairnCrypto
import CairnHTTP
import CairnSQLite
import CairnTransfer
import Foundation
import Glibc

#if canImport(CairnPostgres)
  import CairnPostgres
#endif

/// The output of `cairn --version --verbose`: what the program was built from, and the libraries that it uses.
struct BuildReport {
  /// The names and values, in the order of the output.
  let rows: [(name: String, value: String)]

  /// One line per row.
  var text: String { rows.map { "\($0.name): \($0.value)" }.joined(separator: "\n") }

  private static let unknown = "not known"

  /// The report of this process. It has the versions of the C libraries that the process has loaded, and of the Swift packages of the
  /// build.
  static var current: BuildReport {
    var rows: [(name: String, value: String)] = [
      ("cairn", Version.text), ("commit", Version.commit ?? unknown), ("configuration", configuration),
      ("Swift standard library", "\(_SwiftStdlibVersion.current)"), ("C compiler", String(cString: cairn_build_compiler())),
      ("libmicrohttpd", Server.libraryVersion), ("SQLite", SQLiteJournal.libraryVersion), ("libcrypto", CryptoLibrary.version),
    ]
    rows.append(("libcurl", TransferLibrary.curlVersion ?? "not used; URLSession sends requests"))
    rows.append(("libpq", libpq ?? "not used; no PostgreSQL"))
    rows.append(("jemalloc", jemalloc ?? "not used"))
    return BuildReport(rows: rows + packages(String(cString: cairn_build_packages())))
  }

  /// The name and version of each package in the text of Package.resolved. A package without a version has its revision instead.
  static func packages(_ resolved: String) -> [(name: String, value: String)] {
    guard let file = try? JSONDecoder().decode(Resolved.self, from: Data(resolved.utf8)) else { return [("Swift packages", unknown)] }
    return file.pins.map { pin in
      let name = pin.location.split(separator: "/").last.map(String.init) ?? pin.location
      return (name.hasSuffix(".git") ? String(name.dropLast(4)) : name, pin.state.version ?? pin.state.revision ?? unknown)
    }
  }

  /// The parts of Package.resolved that the report needs.
  private struct Resolved: Decodable {
    var pins: [Pin]

    struct Pin: Decodable {
      var location: String
      var state: State
    }

    struct State: Decodable {
      var version: String?
      var revision: String?
    }
  }

  private static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The version of libpq; `nil` if the journal on PostgreSQL was not built.
  private static var libpq: String? {
    #if canImport(CairnPostgres)
      PostgresLibrary.version
    #else
      nil
    #endif
  }

  /// The version of jemalloc; `nil` if the process does not use it.
  private static var jemalloc: String? {
    typealias Control =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int) -> CInt
    guard let function = dlsym(nil, "mallctl") else { return nil }
    // mallctl(3) has this type, and "version" returns a pointer to a constant text.
    let control = unsafeBitCast(function, to: Control.self)
    var text: UnsafePointer<CChar>?
    var size = MemoryLayout<UnsafePointer<CChar>?>.size
    guard control("version", &text, &size, nil, 0) == 0, let text else { return unknown }
    return String(String(cString: text).prefix { $0 != "-" })
  }
}
