import type { ComponentType, ReactElement, ReactNode } from "react";
import type {
  Action, Answer, AnyApp, AppTypes, ArrayAnswer, CairnProblem, FlowNode, GestureOptions, PostOptions, ScreenNode, Session, Snapshot, StaleAnswer, StepOptions, TreeNode,
} from "./index.js";

export interface SessionProviderProps {
  readonly session: Session<any>;
  /** Receives the refusals of steps and actions, which then resolve to undefined. Without this function, refused steps and actions reject. */
  readonly onProblem?: (problem: CairnProblem) => void;
  /** Leaves the app, after a guard has asked and the user has agreed: in React Native `() => BackHandler.exitApp()`. */
  readonly onExit?: () => void;
  /** The snapshot that a server rendered, for hydration. */
  readonly serverSnapshot?: Snapshot<any>;
  readonly children?: ReactNode;
}

type ScreenName<App extends AppTypes> = keyof App["screens"] & string;

/** The props of a screen's component. The component is rendered again when a prop changes, but not when a modal over the screen changes. */
export interface ScreenProps<App extends AppTypes = AnyApp, Name extends ScreenName<App> = ScreenName<App>> {
  /** The screen's node without its modal, because `node.presented` may be that of an earlier tree. */
  readonly node: Omit<Extract<ScreenNode<App>, { readonly name: Name }>, "presented" | "levels" | "overlays">;
  /** The screen's params; an empty object if it has none. */
  readonly params: Readonly<App["screens"][Name]>;
  readonly content: ScreenNode<App>["content"];
}

/** A component for each screen. */
export type ScreenComponents<App extends AppTypes = AnyApp> = {
  readonly [Name in ScreenName<App>]: ComponentType<ScreenProps<App, Name>>;
};

export interface ContainerProps<App extends AppTypes = AnyApp> {
  readonly node: FlowNode<App>;
  /** The visible children of the flow. With `keepMounted`, all its children, each in a `pane`. */
  readonly children?: ReactNode;
}

export interface ModalProps<App extends AppTypes = AnyApp> {
  readonly node: TreeNode<App>;
  /** Whether this modal is the topmost. */
  readonly isTop: boolean;
  readonly children?: ReactNode;
}

export interface OverlayProps<App extends AppTypes = AnyApp> {
  readonly node: TreeNode<App>;
  readonly slot: string;
  readonly children?: ReactNode;
}

export interface PaneProps<App extends AppTypes = AnyApp> {
  readonly node: TreeNode<App>;
  /** Whether the pane is covered or in another tab, and only kept mounted. */
  readonly isHidden: boolean;
  readonly children?: ReactNode;
}

/** Components around the parts of a tree. A missing component adds nothing; by default a `pane` is a `<div>` with `hidden`. */
export interface Containers<App extends AppTypes = AnyApp> {
  readonly stack?: ComponentType<ContainerProps<App>> | undefined;
  readonly tabs?: ComponentType<ContainerProps<App>> | undefined;
  /** The container of a split. A split that is laid out as a stack uses it too; its node is then `collapsed`. */
  readonly split?: ComponentType<ContainerProps<App>> | undefined;
  readonly switch?: ComponentType<ContainerProps<App>> | undefined;
  /** The container of each overlay, which covers nothing. */
  readonly overlay?: ComponentType<OverlayProps<App>> | undefined;
  /** The container of each modal, including alerts. */
  readonly modal?: ComponentType<ModalProps<App>> | undefined;
  /** With `keepMounted`, the container of each child of a flow. */
  readonly pane?: ComponentType<PaneProps<App>> | undefined;
}

/** The components of all screens of the app, or of some of them and a fallback for the others. */
export type ScreensProps<App extends AppTypes = AnyApp> = {
  readonly containers?: Containers<App>;
  /** Whether screens that are covered or in another tab remain mounted. */
  readonly keepMounted?: boolean;
} & (
  | { readonly of: ScreenComponents<App>; readonly fallback?: ComponentType<ScreenProps<App, any>> }
  | { readonly of: Partial<ScreenComponents<App>>; readonly fallback: ComponentType<ScreenProps<App, any>> }
);

/** An event, which a function receives if it is used as an event handler. The function ignores it. */
interface HandledEvent {
  preventDefault(): void;
}

type StepArguments<App extends AppTypes, Name extends keyof App["steps"]> = {} extends App["steps"][Name]
  ? [params?: App["steps"][Name] | HandledEvent, options?: StepOptions]
  : [params: App["steps"][Name], options?: StepOptions];

/** Posts a step. Resolves to undefined if the step was refused and `onProblem` received the problem. */
export type PostStep<App extends AppTypes, Name extends keyof App["steps"]> = (...given: StepArguments<App, Name>) => Promise<Answer | StaleAnswer | undefined>;

type ActionName =
  | "plan" | "back" | "pop" | "popTo" | "popToRoot" | "dismiss" | "select" | "login" | "token" | "logout" | "appState" | "setFacts" | "cancel" | "advance"
  | "open" | "notify";

/** The session's functions with these names. They resolve to undefined if the action was refused and `onProblem` received the problem. */
export type Actions<App extends AppTypes = AnyApp> = {
  readonly [Name in ActionName]: Session<App>[Name] extends (...given: infer Given) => Promise<infer Result>
    ? (...given: Given) => Promise<Result | undefined>
    : never;
} & {
  readonly act: {
    (actions: readonly Action<App>[], options?: PostOptions): Promise<ArrayAnswer | undefined>;
    (action: Action<App>, options?: GestureOptions): Promise<Answer | StaleAnswer | undefined>;
  };
};

export interface Cairn<App extends AppTypes = AnyApp> {
  /** Provides a session to the components below. The session is followed while the provider is mounted. */
  SessionProvider(props: SessionProviderProps): ReactElement;
  /** Renders the tree: the visible screens, and modals over them. */
  Screens(props: ScreensProps<App>): ReactElement;
  /** Returns the snapshot, or a selector's value of it. The component is rendered again when the value changes. */
  useSession(): Snapshot<App>;
  useSession<Value>(selector: (snapshot: Snapshot<App>) => Value, isEqual?: (before: Value, after: Value) => boolean): Value;
  /**
   * Returns a function that posts a step, the same function at each render. Within a screen of `<Screens>`, the step is bound to that screen: if the screen is
   * covered or dismissed when the step arrives, the call resolves to an answer with `outcome: "stale"`.
   */
  useStep<Name extends keyof App["steps"] & string>(name: Name): PostStep<App, Name>;
  /**
   * Returns `back`, `select`, `open` and others, the same functions at each render. Within `<Screens>`, gestures are bound to the rendered screen, or to the
   * front of the rendered container. If the user no longer sees that node when a gesture arrives, the call resolves to an answer with `outcome: "stale"`.
   */
  useActions(): Actions<App>;
}

/** Returns the same functions, typed for an app: `createCairn<AppOf<Step, Screen, Facts>>()`. */
export function createCairn<App extends AppTypes>(): Cairn<App>;

export const SessionProvider: Cairn["SessionProvider"];
export const Screens: Cairn["Screens"];
export const useSession: Cairn["useSession"];
export const useStep: Cairn["useStep"];
export const useActions: Cairn["useActions"];
