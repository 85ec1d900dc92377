import type { ComponentType, ReactElement, ReactNode } from "react";
import type {
  Action, Answer, AnyApp, AppTypes, ArrayAnswer, CairnProblem, FlowNode, GestureOptions, PostOptions, ScreenNode, Session, Snapshot, StaleAnswer, StepOptions, TreeNode,
} from "./index.js";

export interface SessionProviderProps {
  readonly session: Session<any>;
  /** Receives the refusals of steps and actions, which then resolve to undefined. Without it they are rejected. */
  readonly onProblem?: (problem: CairnProblem) => void;
  /** The snapshot that a server rendered, for hydration. */
  readonly serverSnapshot?: Snapshot<any>;
  readonly children?: ReactNode;
}

type ScreenName<App extends AppTypes> = keyof App["screens"] & string;

/** The props of a screen's component. It is rendered again when one of them changes, but not for a modal over it. */
export interface ScreenProps<App extends AppTypes = AnyApp, Name extends ScreenName<App> = ScreenName<App>> {
  /** Its modal is left out: `node.presented` may be that of an earlier tree. */
  readonly node: Omit<Extract<ScreenNode<App>, { readonly name: Name }>, "presented" | "levels">;
  /** An empty object if the screen has none. */
  readonly params: Readonly<App["screens"][Name]>;
  readonly content: ScreenNode<App>["content"];
}

/** A component for each screen. */
export type ScreenComponents<App extends AppTypes = AnyApp> = {
  readonly [Name in ScreenName<App>]: ComponentType<ScreenProps<App, Name>>;
};

export interface ContainerProps<App extends AppTypes = AnyApp> {
  readonly node: FlowNode<App>;
  /** The visible children of the flow; with `keepMounted` all its children, each in a `pane`. */
  readonly children?: ReactNode;
}

export interface ModalProps<App extends AppTypes = AnyApp> {
  readonly node: TreeNode<App>;
  /** It is the topmost modal. */
  readonly isTop: boolean;
  readonly children?: ReactNode;
}

export interface PaneProps<App extends AppTypes = AnyApp> {
  readonly node: TreeNode<App>;
  /** It is covered or in another tab, and only kept mounted. */
  readonly isHidden: boolean;
  readonly children?: ReactNode;
}

/** Components around what a node shows. One that is left out adds nothing; a `pane` is a `<div>` with `hidden`. */
export interface Containers<App extends AppTypes = AnyApp> {
  readonly stack?: ComponentType<ContainerProps<App>> | undefined;
  readonly tabs?: ComponentType<ContainerProps<App>> | undefined;
  /** Also of a split that is laid out as a stack; its node is `collapsed` then. */
  readonly split?: ComponentType<ContainerProps<App>> | undefined;
  readonly switch?: ComponentType<ContainerProps<App>> | undefined;
  /** Around each modal, an alert included. */
  readonly modal?: ComponentType<ModalProps<App>> | undefined;
  /** With `keepMounted`: around each child of a flow. */
  readonly pane?: ComponentType<PaneProps<App>> | undefined;
}

/** All screens of the app, or some of them and a fallback for the others. */
export type ScreensProps<App extends AppTypes = AnyApp> = {
  readonly containers?: Containers<App>;
  /** true: screens that are covered or in another tab stay mounted. */
  readonly keepMounted?: boolean;
} & (
  | { readonly of: ScreenComponents<App>; readonly fallback?: ComponentType<ScreenProps<App, any>> }
  | { readonly of: Partial<ScreenComponents<App>>; readonly fallback: ComponentType<ScreenProps<App, any>> }
);

/** An event's handler may be called with the event, which is ignored. */
interface HandledEvent {
  preventDefault(): void;
}

type StepArguments<App extends AppTypes, Name extends keyof App["steps"]> = {} extends App["steps"][Name]
  ? [params?: App["steps"][Name] | HandledEvent, options?: StepOptions]
  : [params: App["steps"][Name], options?: StepOptions];

/** Posts a step. undefined: it was refused, and `onProblem` has the problem. */
export type PostStep<App extends AppTypes, Name extends keyof App["steps"]> = (...given: StepArguments<App, Name>) => Promise<Answer | StaleAnswer | undefined>;

type ActionName =
  | "plan" | "back" | "pop" | "popTo" | "popToRoot" | "dismiss" | "select" | "login" | "token" | "logout" | "appState" | "setFacts" | "cancel" | "advance"
  | "open" | "notify";

/** The session's functions of these names. undefined: the action was refused, and `onProblem` has the problem. */
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
  /** Gives a session to the components below, and follows it while it is mounted. */
  SessionProvider(props: SessionProviderProps): ReactElement;
  /** The tree: the visible screens, and modals over them. */
  Screens(props: ScreensProps<App>): ReactElement;
  /** The snapshot, or what a selector makes of it: the component is rendered again when that is another value. */
  useSession(): Snapshot<App>;
  useSession<Value>(selector: (snapshot: Snapshot<App>) => Value, isEqual?: (before: Value, after: Value) => boolean): Value;
  /**
   * A function that posts a step, the same one at each render. Within a screen of `<Screens>` it is bound to that screen: if the screen is covered or
   * dismissed when the step arrives, it resolves to an answer with `outcome: "stale"`.
   */
  useStep<Name extends keyof App["steps"] & string>(name: Name): PostStep<App, Name>;
  /**
   * `back`, `select`, `open`, …: the same functions at each render. Within `<Screens>` gestures are bound to the screen, or the front of the container, that was rendered: if the user no
   * longer sees it when they arrive, they resolve to an answer with `outcome: "stale"`.
   */
  useActions(): Actions<App>;
}

/** The same functions, typed by an app: `createCairn<AppOf<Step, Screen, Facts>>()`. */
export function createCairn<App extends AppTypes>(): Cairn<App>;

export const SessionProvider: Cairn["SessionProvider"];
export const Screens: Cairn["Screens"];
export const useSession: Cairn["useSession"];
export const useStep: Cairn["useStep"];
export const useActions: Cairn["useActions"];
