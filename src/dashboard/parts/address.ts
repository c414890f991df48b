/** A text whose e-mail address breaks before its @ where a line is too short for it. */
import type { VNode } from 'preact';
import { h } from '../h.ts';

export function Address({ text }: { readonly text: string }): VNode {
  const at = text.indexOf('@');
  return at < 0
    ? h('span', null, text)
    : h('span', null, text.slice(0, at), h('wbr', null), text.slice(at));
}
