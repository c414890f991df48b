/** Preact's `h` with the attributes of each tag and the props of each component checked. */
import { type ComponentChildren, h as create, type JSX, type VNode } from 'preact';

type Tags = JSX.IntrinsicElements;
type Data = { readonly [name: `data-${string}`]: string };
/** Nothing that a mistake would write, such as a record, is a child. */
export type Child = VNode | string | number | false | null | undefined | readonly Child[];

export function h<T extends keyof Tags>(
  tag: T,
  props: (Tags[T] & Data) | null,
  ...children: Child[]
): VNode;
export function h<P extends object>(
  component: (props: P) => ComponentChildren,
  props: P & { readonly key?: string },
  ...children: Child[]
): VNode;
export function h(type: unknown, props: object | null, ...children: Child[]): VNode {
  return create(type as string, props, ...(children as ComponentChildren[])) as VNode;
}
