/** The frame of every page: its heading, what loads, what is empty. */
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Child, h } from '../h.ts';
import { liveness } from '../live.ts';
import type { Loaded } from '../read.ts';
import { session } from '../session.ts';
import { secondsText, timeText } from '../times.ts';

interface PageProps {
  readonly title: string;
  /** Beside the heading. */
  readonly beside?: Child;
  readonly children?: Child;
  /** The page above this one. */
  readonly back?: { readonly href: string; readonly text: string };
}

export function Page({ title, beside, children, back }: PageProps): VNode {
  useEffect(() => {
    document.title = `${title} · ${session.value?.team.name ?? 'Team dashboard'}`;
  }, [title]);
  return h(
    'div',
    { class: 'page' },
    back && h('p', { class: 'back' }, h('a', { href: back.href }, `← ${back.text}`)),
    h('header', { class: 'head' }, h('h1', { tabIndex: -1 }, title), beside),
    children,
  );
}

interface DataProps<T> {
  readonly of: Loaded<T>;
  readonly show: (data: T) => Child;
  /** False where the page says by itself that its data is old. */
  readonly hasNote?: boolean;
}

/** What was read, or that it loads, or why it couldn't be read. Old data stays on the page with a note. */
export function Data<T>({ of, show, hasNote = true }: DataProps<T>): VNode {
  const { data, error, reload } = of;
  const retry = h('button', { class: 'button', type: 'button', onClick: reload }, 'Try again');
  if (data === undefined)
    return error
      ? h('div', { class: 'empty', role: 'alert' }, h('p', null, error.message), retry)
      : h('p', { class: 'loading', role: 'status' }, 'Loading …');
  return h(
    'div',
    { class: 'data' },
    error &&
      hasNote &&
      h(
        'p',
        { class: 'notice warn', role: 'alert' },
        `Not updated since ${of.at ? secondsText(of.at) : 'the start'}: ${error.message}`,
      ),
    show(data),
  );
}

/** Nothing is there yet, and what to do about it. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: Child;
}): VNode => h('div', { class: 'empty' }, h('p', { class: 'strong' }, title), children);

/** On paper alone: whose facility it is, and when it was so. */
export const PaperLine = ({
  at,
  children,
}: {
  readonly at: Date | undefined;
  readonly children?: Child;
}): VNode =>
  h(
    'p',
    { class: 'on-paper' },
    `${session.value?.team.name ?? ''} · as of ${at ? timeText(at) : ''}`,
    children && [' · ', children],
  );

/** Whether the page follows the facility, in words and shape. */
export function LiveSign({ at }: { readonly at: Date | undefined }): VNode {
  const isLive = liveness.value === 'live';
  const time = at ? secondsText(at) : '';
  return h(
    'p',
    { class: isLive ? 'live' : 'live off' },
    isLive
      ? `live · ${time}`
      : liveness.value === 'polling'
        ? `not live · as of ${time}`
        : `connecting · ${time}`,
  );
}

export const Tag = ({
  kind,
  children,
}: {
  readonly kind?: 'warn' | 'bad' | 'good';
  readonly children?: Child;
}): VNode => h('span', { class: `tag ${kind ?? ''}` }, children);
