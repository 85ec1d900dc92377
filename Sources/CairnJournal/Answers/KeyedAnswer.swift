/// A response of a session that is written with a commit.
package struct KeyedAnswer: Hashable, Sendable {
  package var key: AnswerKey
  package var answer: KeptAnswer

  package init(_ key: AnswerKey, _ answer: KeptAnswer) {
    self.key = key
    self.answer = answer
  }
}
