/// Where a remote notification keeps its link and category, and when one is not shown.
public struct NotificationDefinition: Hashable, Sendable {
  /// JSON Pointers (RFC 6901) into the payload, the first that holds a string wins.
  public var linkPointers: [String]
  public var categoryPointers: [String]
  public var suppress: [Suppression]
  /// Where a message's id stands: JSON Pointers into the payload, which begin with `/`, and names of header fields; the first that is there
  /// counts. None: no message is known again.
  public var idPlaces: [String]

  public struct Suppression: Hashable, Sendable {
    /// nil: of any category.
    public var category: String?
    public var when: Guard

    public init(category: String? = nil, when: Guard) {
      self.category = category
      self.when = when
    }
  }

  /// Apps' own keys at the top level, then below `data` (Expo, React Native), then FCM's for the web.
  public static let defaultLinkPointers = [
    "/url", "/link", "/deeplink", "/data/url", "/data/link", "/data/deeplink", "/webpush/fcm_options/link",
  ]
  /// Apple's payload, then the top level, then the data of an FCM message.
  public static let defaultCategoryPointers = ["/aps/category", "/category", "/data/category"]

  public init(
    linkPointers: [String] = NotificationDefinition.defaultLinkPointers,
    categoryPointers: [String] = NotificationDefinition.defaultCategoryPointers, suppress: [Suppression] = [],
    idPlaces: [String] = []
  ) {
    self.linkPointers = linkPointers
    self.categoryPointers = categoryPointers
    self.suppress = suppress
    self.idPlaces = idPlaces
  }
}
