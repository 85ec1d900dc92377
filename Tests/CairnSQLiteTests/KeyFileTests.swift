import CairnSQLite
import CairnTesting
import Foundation
import Testing

@Suite(.tags(.timing), .ownThreads) struct `Key file` {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase() }

  private var path: String { database.path + ".key" }

  private func write(_ data: Data, mode: Int = 0o600) throws {
    try data.write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func fault(_ setting: String? = nil) -> KeyFile.Fault? {
    do throws(KeyFile.Fault) {
      _ = try KeyFile.keys(setting: setting, database: database.path)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a key file is created once, readable only by its owner, and stays the same`() throws {
    let keys = try KeyFile.keys(setting: nil, database: database.path)
    let key = try #require(keys.first)
    #expect(keys.count == 1)
    #expect(key.count == 32)
    #expect(Set(key).count > 8)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    #expect(try KeyFile.keys(setting: nil, database: database.path) == [key])
    #expect(try FileManager.default.contentsOfDirectory(atPath: database.directory.path) == ["cairn.db.key"])
  }

  @Test func `a setting takes precedence over the file, and then no file is created`() throws {
    let key = (0..<32).map(UInt8.init)
    #expect(try KeyFile.keys(setting: Data(key).base64EncodedString() + "\n", database: database.path) == [key])
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: ["", "not base64!", Data(repeating: 1, count: 31).base64EncodedString()])
  func `a setting that is no valid key is rejected, and not quoted`(_ setting: String) {
    #expect(fault(setting) == .notBase64OfKey)
    #expect(setting.isEmpty || !KeyFile.Fault.notBase64OfKey.description.contains(setting))
  }

  @Test(arguments: [0o640, 0o604, 0o666]) func `a file that others can read is rejected`(_ mode: Int) throws {
    try write(Data(repeating: 1, count: 32), mode: mode)
    #expect(fault() == .readableByOthers(path: path))
  }

  @Test(arguments: [0, 31, 33, 64]) func `a file of another length is rejected`(_ length: Int) throws {
    try write(Data(repeating: 1, count: length))
    #expect(fault() == .wrongLength(path: path))
  }

  @Test func `no new key is created for an existing database`() throws {
    try database.open().close()
    #expect(fault() == .missing(path: path))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a symbolic link is rejected`() throws {
    let elsewhere = database.directory.appending(path: "elsewhere").path
    try Data(repeating: 1, count: 32).write(to: URL(fileURLWithPath: elsewhere))
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
    guard case .unusable? = fault() else {
      Issue.record("\(String(describing: fault()))")
      return
    }
  }
}
