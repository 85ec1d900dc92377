package import CairnCore

/// The definitions that an app is and was served with, oldest first.
package struct VersionsBody: JSONWritable, Sendable {
  package var app: String
  package var versions: [Version]

  /// A version of an app's definition.
  package struct Version: JSONWritable, Hashable, Sendable {
    /// Its hash.
    package var definition: String
    /// New sessions start on it.
    package var current: Bool
    /// When the app was last begun to be served with it; of a version of before that was noted, when its oldest session was started.
    /// Milliseconds since 1970.
    package var since: Int
    /// The operator who put it; nil: it was the folder's.
    package var by: String?
    /// How many are on it.
    package var sessions: Int

    package init(definition: String, current: Bool, since: Int, by: String?, sessions: Int) {
      self.definition = definition
      self.current = current
      self.since = since
      self.by = by
      self.sessions = sessions
    }

    package func write(to writer: inout JSONWriter) {
      writer.beginObject()
      writer.member("by", ifPresent: by)
      writer.member("current", current)
      writer.member("definition", definition)
      writer.member("sessions", sessions)
      writer.member("since", Timestamp.text(since))
      writer.endObject()
    }
  }

  package init(app: String, versions: [Version]) {
    self.app = app
    self.versions = versions
  }

  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("app", app)
    writer.member("versions", versions)
    writer.endObject()
  }
}
