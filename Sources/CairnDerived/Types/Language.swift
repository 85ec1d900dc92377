/// A language in which types can be generated.
package enum Language: String, CaseIterable, Sendable { case typescript, swift, kotlin }
