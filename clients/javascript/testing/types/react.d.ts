/** What the client's types use of React's, as `@types/react` declares it. */
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
