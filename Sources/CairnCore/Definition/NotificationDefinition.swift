/// Where a remote notification keeps its link and category, and when one is not shown.
public struct NotificationDefinition: Hashable, Sendable {
  /// JSON Pointers (RFC 6901) into the payload, the first that holds a string wins.
  public var linkPointers: [String]
  public var categoryPointers: [String]
  public var suppress: [Suppression]
  /// The places of a message's id: JSON Pointers into the payload, which begin with `/`, and names of header fields; the first that exists
  /// counts. Without any, no repeated message is recognised.
  public var idPlaces: [String]
  /// The values read from the payload, by name.
  public var values: [String: Reading]
  /// The effects of messages without a link of their own; the first that takes one wins.
  public var take: [Taking]

  public struct Suppression: Hashable, Sendable {
    /// nil: of any category.
    public var category: String?
    /// nil: however it comes.
    public var how: Set<How>?
    public var when: Guard

    public init(category: String? = nil, how: Set<How>? = nil, when: Guard) {
      self.how = how
      self.category = category
      self.when = when
    }
  }

  /// Apps' own keys at the top level, then below `data` (Expo, React Native), then FCM's for the web, then vendors'.
  public static let defaultLinkPointers =
    [
      "/url", "/link", "/deeplink", "/data/url", "/data/link", "/data/deeplink", "/webpush/fcm_options/link",
    ] + vendorLinkPointers
  /// Further keys that apps use; Braze, CleverTap, Iterable, OneSignal (on the device, and as it is posted), Airship, Customer.io, Klaviyo,
  /// Paytronix.
  static let vendorLinkPointers = [
    "/deep_link", "/uri", "/data/deep_link", "/data/uri", "/ab_uri", "/wzrk_dl", "/itbl/defaultAction/data", "/custom/u", "/app_url", "/^d",
    "/CIO/push/link", "/ios_deep_link", "/android_deep_link", "/deepLink/value",
  ]
  /// Apple's payload, then the top level, then the data of an FCM message.
  public static let defaultCategoryPointers = ["/aps/category", "/category", "/data/category"]

  public init(
    linkPointers: [String] = NotificationDefinition.defaultLinkPointers,
    categoryPointers: [String] = NotificationDefinition.defaultCategoryPointers, suppress: [Suppression] = [],
    idPlaces: [String] = [], values: [String: Reading] = [:], take: [Taking] = []
  ) {
    self.linkPointers = linkPointers
    self.categoryPointers = categoryPointers
    self.suppress = suppress
    self.idPlaces = idPlaces
    self.values = values
    self.take = take
  }
}
