/// An answer of a session, as a commit writes it.
package struct KeyedAnswer: Hashable, Sendable {
  package var key: AnswerKey
  package var answer: KeptAnswer

  package init(_ key: AnswerKey, _ answer: KeptAnswer) {
    self.key = key
    self.answer = answer
  }
}
