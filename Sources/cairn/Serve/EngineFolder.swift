import CairnServer
import Foundation

/// Reads the engine for clients from the folder that the setting `engine` names.
enum EngineFolder {
  /// Returns the engine. Throws unless the folder contains the module and the module compressed with brotli.
  static func read(_ folder: String) throws(StartFailure) -> EngineFile {
    let file = "\(folder)/engine.wasm"
    let (module, compressed) = (try bytes(of: file), try bytes(of: "\(file).br"))
    guard let engine = EngineFile(module: module, compressed: compressed) else {
      throw .unreadable(file: file, reason: "the file must be a WebAssembly module; build it with `make engine`")
    }
    return engine
  }

  private static func bytes(of file: String) throws(StartFailure) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: file), !data.isEmpty else {
      throw .unreadable(
        file: file, reason: "the setting engine must name a folder with the engine; `make engine` builds it in .build/engine")
    }
    return Array(data)
  }
}
