/// An action of a predicted session that the service has refused. If its effect was shown, the effect has been removed from the shown tree.
public struct RejectedAction: Sendable {
  public var action: SessionAction
  public var error: ClientError
  /// The id of the group that contains the action; `nil` if the action may not be stored.
  public var group: String?

  /// The code of the problem; `nil` if the action failed in another way.
  public var code: String? { error.problem?.code }
}
