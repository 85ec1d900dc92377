/**
 * Converts Cairn's tree to a state of React Navigation, and back. The outermost navigator is a stack. Its first route is the tree's root, and its other routes
 * are the modals over the root, so that an app's navigators stay mounted while modals open and close. Route keys are the keys of the session's views (`keyOf`).
 */
export { toNavigationState } from "./to-navigation-state.js";
export { fromNavigationState } from "./from-navigation-state.js";
export { gesturesBetween } from "./gestures.js";
export { navigationActionBetween } from "./navigation-action.js";
export { followNavigation } from "./follow-navigation.js";
