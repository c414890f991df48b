/** One key: what it may do, its use, and how it ends. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Scope } from '../../contract/scopes.ts';
import {
  dailyRequests,
  isOver,
  lastUseText,
  lateCountText,
  nameAmong,
  remarksOn,
  replacementOf,
  stateOf,
  successorOf,
  usedWithin,
} from '../key-facts.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Data, Empty, Page, Tag } from '../parts/page.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { path, query, withQuery } from '../router.ts';
import { resources, resourceTitle, scopesText } from '../scope-presets.ts';
import { type ApiKey, actorText, team, type UsageRow } from '../team.ts';
import {
  dateText,
  dayKey,
  dayMs,
  hourMs,
  numberText,
  plural,
  relativeText,
  shiftDay,
  startOfDay,
  timeText,
} from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { ExpiryDialog, RenameDialog, RevokeDialog } from './key-dialogs.tsx';

const days = 30;

interface KeyAndUse {
  readonly subject: ApiKey;
  readonly daily: readonly UsageRow[];
  /** In the last 24 hours. */
  readonly recent: number;
  /** All keys of the team. */
  readonly keys: readonly ApiKey[];
}

async function readKey(id: string, signal: AbortSignal): Promise<KeyAndUse | 'none'> {
  const from = startOfDay(shiftDay(dayKey(new Date()), 1 - days)).toISOString();
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const [keys, daily, hourly] = await Promise.all([
    team.all('keys', {}, signal),
    team.usage({ from, step: 'day', keyId: id }, signal),
    team.usage({ from: new Date(hour - dayMs).toISOString(), step: 'hour', keyId: id }, signal),
  ]);
  const subject = keys.find((key) => key.id === id);
  if (!subject) return 'none';
  const recent = hourly.rows.reduce((sum, { requests }) => sum + requests, 0);
  return { subject, daily: daily.rows, recent, keys };
}

export function KeyPage(): VNode {
  const id = path.value.split('/')[1] ?? '';
  const loaded = useLoaded(`key ${id}`, (signal) => readKey(id, signal), { live: true });
  // The use of a key changes no record of the team.
  useEffect(() => {
    const timer = setInterval(
      () => document.visibilityState === 'visible' && loaded.reload(),
      10_000,
    );
    return () => clearInterval(timer);
  }, [id]);
  return (
    <Page
      title={(loaded.data !== 'none' && loaded.data?.subject.name) || 'Key'}
      back={{ href: '/dashboard/keys', text: 'Keys' }}
    >
      <Data<KeyAndUse | 'none'>
        of={loaded}
        show={(data) =>
          data === 'none' ? (
            <Empty title="No such key">
              <p>This team has no key with this address.</p>
            </Empty>
          ) : (
            <KeyFacts {...data} reload={loaded.reload} />
          )
        }
      />
    </Page>
  );
}

function KeyFacts({
  subject: key,
  daily,
  recent,
  keys,
  reload,
}: KeyAndUse & { readonly reload: () => void }): VNode {
  const values = dailyRequests(daily, days)(key.id);
  const sum = values.reduce((total, value) => total + value, 0);
  const asked = query.value.get('do');
  const ended = isOver(key);
  const replacement = ended ? undefined : replacementOf(key, keys);
  const linked = (title: string, other: ApiKey | undefined) =>
    other
      ? [[title, <a href={`/dashboard/keys/${other.id}`}>{nameAmong(other, keys)}</a>] as const]
      : [];
  const facts: Fact[] = [
    [
      'State',
      [
        stateOf(key),
        key.revokedBy && ` by ${actorText(key.revokedBy)}`,
        ...remarksOn(key, keys).flatMap(({ kind, text }) => [' ', <Tag kind={kind}>⚠ {text}</Tag>]),
      ],
    ],
    ['Key', <code class="key">{key.key}…</code>],
    ...(key.revokedAt
      ? []
      : [
          [
            'Expires',
            key.expiresAt ? `${dateText(key.expiresAt)} (${relativeText(key.expiresAt)})` : 'never',
          ] as const,
        ]),
    ...(ended ? linked('Replaced by', successorOf(key, keys)) : []),
    ...linked(
      'Replaces',
      keys.find(({ id }) => id === key.replacesId),
    ),
    ['Last used', lastUseText(key)],
    [
      'Created',
      `${timeText(key.createdAt)}${key.createdBy ? `, ${actorText(key.createdBy)}` : ''}`,
    ],
    [
      'Requests',
      [
        sum > 0 && (
          <Sparkline values={values} title={`${plural(sum, 'request')} in ${days} days`} />
        ),
        ` ${numberText(sum)} in ${days} days, ${numberText(recent)} in the last 24 hours. `,
        <span class="quiet">{lateCountText}</span>,
      ],
    ],
  ];
  const dialog = { subject: key, reload };
  return (
    <div class="stack">
      {replacement && <Replacement old={key} replacement={replacement} />}
      <Facts class="card" of={facts} />
      <p>
        <a href={`/dashboard/usage?key=${key.id}`}>Usage of this key</a> ·{' '}
        <a href={`/dashboard/settings/audit?subject=${key.id}`}>Log of this key</a>
      </p>
      {/* Also an expired key can be replaced. */}
      {!key.revokedAt && (
        <div class="actions">
          {!ended && (
            <a class="button" href={withQuery({ do: 'rename' })}>
              Rename…
            </a>
          )}
          {!ended && (
            <a class="button" href={withQuery({ do: 'expiry' })}>
              Set expiry…
            </a>
          )}
          <a class="button" href={`/dashboard/keys/new?for=${key.id}`}>
            Replace…
          </a>
          {!ended && (
            <a class={replacement ? 'button' : 'button danger'} href={withQuery({ do: 'revoke' })}>
              Revoke…
            </a>
          )}
        </div>
      )}
      <Scopes scopes={new Set(key.scopes)} />
      {asked === 'rename' && !ended && <RenameDialog {...dialog} />}
      {asked === 'expiry' && !ended && <ExpiryDialog {...dialog} />}
      {asked === 'revoke' && !ended && <RevokeDialog {...dialog} recent={recent} keys={keys} />}
    </div>
  );
}

/** The old key falls silent when the program has the new one. Nothing is revoked by itself. */
function Replacement({
  old,
  replacement,
}: {
  readonly old: ApiKey;
  readonly replacement: ApiKey;
}): VNode {
  // Moves the words on while nothing happens.
  const [, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), 10_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <section class="card replace" aria-labelledby="replacement">
      <h2 id="replacement">Being replaced</h2>
      <Facts
        of={[
          ['This key', usedText(old)],
          [
            'New key',
            <>
              <a href={`/dashboard/keys/${replacement.id}`}>
                <code class="key">{replacement.key}…</code>
              </a>{' '}
              {usedText(replacement)}
            </>,
          ],
        ]}
      />
      <p role="status">{adviceOn(old, replacement)}</p>
      {isReplaced(old, replacement) && (
        <div class="actions">
          <a class="button danger" href={withQuery({ do: 'revoke' })}>
            Revoke this key…
          </a>
        </div>
      )}
    </section>
  );
}

/** Whether the program has changed over: the new key was used, and the old one not since then, nor in the last hour. */
const isReplaced = (old: ApiKey, { lastUsedAt }: ApiKey): boolean =>
  lastUsedAt !== null && lastUsedAt > (old.lastUsedAt ?? '') && !usedWithin(old, hourMs);

const usedText = (key: ApiKey) => (key.lastUsedAt ? `last used ${lastUseText(key)}` : 'never used');

function adviceOn(old: ApiKey, replacement: ApiKey): string {
  if (!usedWithin(old, hourMs)) {
    const silence =
      old.lastUsedAt === null ? 'This key was never used' : 'This key has been silent for an hour';
    if (isReplaced(old, replacement))
      return `${silence}, and the new one is in use: this one can be revoked.`;
    return `${silence}. The new one ${replacement.lastUsedAt ? 'was last used even earlier' : 'was not used yet'}: give it to the program.`;
  }
  if (Date.now() - Date.parse(replacement.createdAt) > dayMs)
    return 'This key is still in use a day after its replacement was made: look for the program without the new one.';
  return 'This key is still in use. Give the new one to the program; this page shows when the old one falls silent. A program that runs once a day needs a day.';
}

function Scopes({ scopes }: { readonly scopes: ReadonlySet<Scope> }): VNode {
  const mark = (verb: string, resource: string) => {
    const has = scopes.has(`${verb}:${resource}` as Scope);
    return <td class={has ? 'yes' : 'no'}>{has ? `✓ ${verb}` : '–'}</td>;
  };
  return (
    <section aria-labelledby="scopes">
      <h2 id="scopes">{plural(scopes.size, 'scope')}</h2>
      <p>It may {scopesText(scopes)}.</p>
      <details class="more">
        <summary>All scopes</summary>
        <table class="grid">
          <thead>
            <tr>
              {['Records', 'Read', 'Write'].map((title) => (
                <th scope="col">{title}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {resources.map((resource) => (
              <tr key={resource}>
                <th scope="row">{resourceTitle(resource)}</th>
                {mark('read', resource)}
                {mark('write', resource)}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
