/** The members of React's types that the client's types use, as `@types/react` declares them. */
export type ReactNode = ReactElement | string | number | boolean | null | undefined | Iterable<ReactNode>;
export interface ReactElement {
  readonly type: unknown;
  readonly props: any;
  readonly key: string | number | null;
}
export interface FunctionComponent<Props = {}> {
  (props: Props): ReactElement | null;
}
export type ComponentType<Props = {}> = FunctionComponent<Props>;
export interface MouseEvent {
  readonly clientX: number;
  preventDefault(): void;
}

export interface Context<Value> {
  readonly Provider: FunctionComponent<{ value: Value; children?: ReactNode }>;
}
export interface Ref<Value> {
  current: Value;
}
export function createContext<Value>(value: Value): Context<Value>;
export function createElement(type: unknown, props: object | null, ...children: unknown[]): ReactElement;
export function memo<Component>(component: Component, isSame?: (before: any, after: any) => boolean): Component;
export function useCallback<Callback>(callback: Callback, dependencies: readonly unknown[]): Callback;
export function useContext<Value>(context: Context<Value>): Value;
export function useEffect(effect: () => void | (() => void), dependencies?: readonly unknown[]): void;
export function useMemo<Value>(make: () => Value, dependencies: readonly unknown[]): Value;
export function useRef<Value>(value: Value): Ref<Value>;
export function useSyncExternalStore<Value>(subscribe: (then: () => void) => () => void, get: () => Value, getOfServer?: () => Value): Value;
