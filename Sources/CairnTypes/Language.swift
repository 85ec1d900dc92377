/// A language that an app's types are written in.
package enum Language: String, CaseIterable, Sendable { case typescript, swift, kotlin }
