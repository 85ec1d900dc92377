/// How a post is to be answered.
struct PostStyle {
  /// It was an array of actions, and the answer is one of answers.
  var isArray = false
  /// Without stack and tree.
  var isMinimal = false
  /// Where in the body the link stands.
  var url = "/url"
}
