#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The inotify watches of a folder, of the folders below it, and of the folders of its path. Used by one thread at a time.
struct WatchedPlaces: Sendable {
  private let descriptor: Int32
  /// The folders above the watched folder, beginning with the root. `next` is the name of the entry that leads to the watched folder.
  private let above: [(path: String, next: String)]
  private let folder: String
  /// The watches of the folder and of the folders below it.
  private var folderWatches: Set<Int32> = []
  private var watches: [Int32: String] = [:]

  private static let ofFolder =
    IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
  /// The maximum depth of the folders below the watched folder, and the maximum number of these folders.
  private static let (mostLevels, mostFolders) = (8, 1_000)
  private static let ofPath = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO

  /// Prepares the watches for an absolute path. `descriptor` is a non-blocking inotify descriptor.
  init(_ folder: String, _ descriptor: Int32) {
    self.folder = folder
    self.descriptor = descriptor
    var path = ""
    above = folder.split(separator: "/").map { name in
      defer { path += "/\(name)" }
      return (path.isEmpty ? "/" : path, String(name))
    }
  }

  /// Adds watches for all folders of the path that exist now, for the folder, and for the folders below it. Removes earlier watches of
  /// other folders. Throws if the system provides no more watches.
  mutating func watch() throws(FolderWatchError) {
    let before = folderWatches.union(watches.keys)
    watches = [:]
    for (path, next) in above {
      let watch = inotify_add_watch(descriptor, path, UInt32(Self.ofPath))
      guard watch >= 0 || errno != ENOSPC else { throw .refused(code: errno) }
      if watch >= 0 { watches[watch] = next }
    }
    try watchFolders()
    for old in before where !folderWatches.contains(old) && watches[old] == nil { inotify_rm_watch(descriptor, old) }
  }

  /// Adds watches for the folder and for the folders below it. A folder is listed after its watch has been added, so that no folder that is
  /// created in between is missed.
  private mutating func watchFolders() throws(FolderWatchError) {
    folderWatches = []
    var level = [folder]
    for _ in 0...Self.mostLevels {
      var next: [String] = []
      for path in level where folderWatches.count <= Self.mostFolders {
        let watch = inotify_add_watch(descriptor, path, UInt32(Self.ofFolder))
        guard watch >= 0 || errno != ENOSPC else { throw .refused(code: errno) }
        if watch >= 0 { folderWatches.insert(watch) }
        next += Self.folders(in: path)
      }
      level = next
    }
  }

  /// Returns the paths of the folders in a folder, except hidden folders and symbolic links.
  private static func folders(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var found: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      let path = "\(folder)/\(name)"
      var status = stat()
      if !name.hasPrefix("."), lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { found.append(path) }
    }
    return found
  }

  /// Reads the available events. Returns whether an event concerns the folder or its path.
  func read() -> Bool {
    var isMeant = false
    let size = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        var place = 0
        while place + size <= count {
          let event = buffer.load(fromByteOffset: place, as: inotify_event.self)
          let name = buffer[(place + size)..<min(count, place + size + Int(event.len))].prefix { $0 != 0 }
          if isOfFolder(event, String(decoding: name, as: UTF8.self)) { isMeant = true }
          place += size + Int(event.len)
        }
      }
    }
    return isMeant
  }

  private func isOfFolder(_ event: inotify_event, _ name: String) -> Bool {
    // After an overflow of the kernel's queue, the lost events may concern the folder.
    if folderWatches.contains(event.wd) || event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
    return watches[event.wd] == name
  }
}
