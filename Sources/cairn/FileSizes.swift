import CairnServer
import Glibc

/// How large a database's files are.
enum FileSizes {
  static func metric(of database: String) -> Metric {
    let files = [("database", database), ("wal", database + "-wal")]
    let samples = files.compactMap { name, path -> Metric.Sample? in
      var status = stat()
      return stat(path, &status) == 0 ? Metric.Sample(["file": name], Double(status.st_size)) : nil
    }
    return Metric("cairn_file_bytes", .gauge, "Size of the database's files.", samples)
  }
}
