/// A response and its key, which a commit stores for a session.
package struct KeyedAnswer: Hashable, Sendable {
  package var key: AnswerKey
  package var answer: KeptAnswer

  package init(_ key: AnswerKey, _ answer: KeptAnswer) {
    self.key = key
    self.answer = answer
  }
}
