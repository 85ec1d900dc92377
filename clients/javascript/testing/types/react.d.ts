/** The members of React's types that those of the client use, as `@types/react` declares them. */
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
