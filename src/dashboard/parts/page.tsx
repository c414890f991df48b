/** The frame of every page: its heading, what loads, what is empty. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { liveness } from '../live-updates.ts';
import { idOf, path } from '../router.ts';
import { session } from '../session.ts';
import { numberText, secondsText, timeText } from '../times.ts';
import { type Loaded, useLoaded } from '../use-loaded.ts';
import { Address } from './facts.tsx';
import { Button } from './form.tsx';

interface PageProps {
  readonly title: string;
  /** Beside the heading. */
  readonly beside?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** The page above this one. */
  readonly back?: { readonly href: string; readonly text: string };
}

export function Page({ title, beside, children, back }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${session.value?.team.name ?? 'Team dashboard'}`;
  }, [title]);
  return (
    <div class="page">
      {back && (
        <p class="back">
          <a href={back.href}>← {back.text}</a>
        </p>
      )}
      <header class="head">
        <h1 tabIndex={-1}>{title}</h1>
        {beside}
      </header>
      {children}
    </div>
  );
}

interface RecordPageProps<T> {
  /** `car`. */
  readonly kind: string;
  readonly back: { readonly href: string; readonly text: string };
  /** null where there is no such record. */
  readonly read: (id: string) => Promise<T | null>;
  readonly title: (record: T) => string;
  readonly beside?: (record: T) => ComponentChildren;
  readonly show: (record: T, reload: () => void) => ComponentChildren;
}

/** The page of the record whose id is in the address. */
export function RecordPage<T>(props: RecordPageProps<T>) {
  const { kind, back, read, title, beside, show } = props;
  const id = idOf(path.value.split('/')[1]);
  const of = useLoaded(`${kind} ${id}`, () => read(id), { live: true });
  const known = of.data ?? undefined;
  const name = (known && title(known)) || kind.charAt(0).toUpperCase() + kind.slice(1);
  return (
    <Page title={name} back={back} beside={known && beside?.(known)}>
      <Data
        of={of}
        show={(data) =>
          data === null ? (
            <Empty title={`No such ${kind}`}>
              <p>This team has no {kind} with this address.</p>
            </Empty>
          ) : (
            show(data, of.reload)
          )
        }
      />
    </Page>
  );
}

interface DataProps<T> {
  readonly of: Loaded<T>;
  readonly show: (data: T) => ComponentChildren;
  /** False where the page says by itself that its data is old. */
  readonly hasNote?: boolean;
}

/** What was read, or that it loads, or why it couldn't be read. Old data stays on the page with a note. */
export function Data<T>({ of, show, hasNote = true }: DataProps<T>) {
  const { data, error } = of;
  if (data === undefined) return <Waiting for={of} />;
  return (
    <div class="data">
      {error && hasNote && (
        <p class="notice warn" role="alert">
          Not updated since {of.at && secondsText(of.at)}: {error.message}
        </p>
      )}
      {show(data)}
    </div>
  );
}

/** That something loads, or why it couldn't be read. */
export const Waiting = ({
  for: { error, reload },
}: {
  readonly for: Pick<Loaded<unknown>, 'error' | 'reload'>;
}) =>
  error ? (
    <div class="empty">
      <p role="alert">{error.message}</p>
      <Button onClick={reload}>Try again</Button>
    </div>
  ) : (
    <p class="loading" role="status">
      Loading …
    </p>
  );

interface CardProps {
  readonly title: string;
  readonly count?: number;
  /** It is the answer to what was clicked. */
  readonly isAnswer?: boolean;
  readonly children?: ComponentChildren;
}

/** A part of a page, with its heading. */
export function Card({ title, count, isAnswer, children }: CardProps) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnswer) heading.current?.focus();
  }, []);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={isAnswer ? -1 : undefined}>
        <Address text={title} />
        {count !== undefined && <span class="quiet"> {numberText(count)}</span>}
      </h2>
      {children}
    </section>
  );
}

/** Nothing is there yet, and what to do about it. */
export const Empty = ({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) => (
  <div class="empty">
    <p class="strong">{title}</p>
    {children}
  </div>
);

/** On paper alone: whose facility it is, and when it was so. */
export const PaperLine = ({
  at,
  children,
}: {
  readonly at: Date | undefined;
  readonly children?: ComponentChildren;
}) => (
  <p class="on-paper">
    {session.value?.team.name ?? ''} · as of {at ? timeText(at) : ''}
    {children && <> · {children}</>}
  </p>
);

/** Whether the page follows the facility, in words and shape. */
export function LiveSign({ at }: { readonly at: Date | undefined }) {
  const isLive = liveness.value === 'live';
  const time = at ? secondsText(at) : '';
  return (
    <p class={isLive ? 'live' : 'live off'}>
      {isLive
        ? `live · ${time}`
        : liveness.value === 'polling'
          ? `not live · as of ${time}`
          : `connecting · ${time}`}
    </p>
  );
}

export const Tag = ({
  kind,
  children,
}: {
  readonly kind?: 'warn' | 'bad' | 'good';
  readonly children?: ComponentChildren;
}) => <span class={`tag ${kind ?? ''}`}>{children}</span>;
