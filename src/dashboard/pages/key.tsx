/** One key: what it may do, its use, and how it ends. */
import { useEffect } from 'preact/hooks';
import { actorText } from '../audit-text.ts';
import {
  dailyRequests,
  isOver,
  isReplaced,
  lastUseText,
  lateCountText,
  nameAmong,
  remarksOn,
  replacementOf,
  replacementText,
  stateOf,
  successorOf,
  sumOf,
} from '../key-facts.ts';
import { type Fact, Facts } from '../parts/facts.tsx';
import { Card, RecordPage, Tag } from '../parts/page.tsx';
import { ScopeTable } from '../parts/scopes.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { type ApiKey, readAll, readAt, type Usage, type UsageRow } from '../read.ts';
import { asked, withQuery } from '../router.ts';
import { scopesText } from '../scope-presets.ts';
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

async function readKey(id: string): Promise<KeyAndUse | null> {
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const usage = (from: number | Date, step: string) =>
    readAt<Usage>('team/usage', { from: new Date(from).toISOString(), step, keyId: id });
  const [keys, daily, hourly] = await Promise.all([
    readAll('team/keys', {}),
    usage(startOfDay(shiftDay(dayKey(new Date()), 1 - days)), 'day'),
    usage(hour - dayMs, 'hour'),
  ]);
  const subject = keys.find((key) => key.id === id);
  if (!subject) return null;
  const recent = sumOf(hourly.rows.map(({ requests }) => requests));
  return { subject, daily: daily.rows, recent, keys };
}

export const KeyPage = () => (
  <RecordPage
    kind="key"
    back={{ href: '/dashboard/keys', text: 'Keys' }}
    read={readKey}
    title={({ subject }) => subject.name}
    show={(facts, reload) => <KeyFacts {...facts} reload={reload} />}
  />
);

type Props = KeyAndUse & { readonly reload: () => void };

function KeyFacts({ subject: key, daily, recent, keys, reload }: Props) {
  // The use of a key changes no record of the team.
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && reload(), 10_000);
    return () => clearInterval(timer);
  }, [key.id]);
  const values = dailyRequests(daily, days)(key.id);
  const sum = sumOf(values);
  const ended = isOver(key);
  const replacement = ended ? undefined : replacementOf(key, keys);
  const linked = (other: ApiKey | undefined) =>
    other && <a href={`/dashboard/keys/${other.id}`}>{nameAmong(other, keys)}</a>;
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
    [
      'Expires',
      !key.revokedAt &&
        (key.expiresAt ? `${dateText(key.expiresAt)} (${relativeText(key.expiresAt)})` : 'never'),
    ],
    ['Replaced by', ended && linked(successorOf(key, keys))],
    ['Replaces', linked(keys.find(({ id }) => id === key.replacesId))],
    ['Last used', lastUseText(key)],
    ['Created', `${timeText(key.createdAt)}, ${actorText(key.createdBy)}`],
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
    ['May', `${scopesText(new Set(key.scopes))} (${plural(key.scopes.length, 'scope')})`],
  ];
  const dialog = { subject: key, reload };
  return (
    <div class="stack">
      {replacement && (
        <Card title="Being replaced">
          <Facts
            of={[
              ['This key', usedText(key)],
              [
                'New key',
                [
                  <a href={`/dashboard/keys/${replacement.id}`}>
                    <code class="key">{replacement.key}…</code>
                  </a>,
                  ` ${usedText(replacement)}`,
                ],
              ],
            ]}
          />
          <p role="status">{replacementText(key, replacement)}</p>
          {isReplaced(key, replacement) && (
            <div class="actions">
              <a class="button danger" href={withQuery({ do: 'revoke' })}>
                Revoke this key…
              </a>
            </div>
          )}
        </Card>
      )}
      <Facts class="card" of={facts} />
      {/* Also an expired key can be replaced. */}
      <div class="actions">
        {!ended && (
          <>
            <a class="button" href={withQuery({ do: 'rename' })}>
              Rename…
            </a>
            <a class="button" href={withQuery({ do: 'expiry' })}>
              Set expiry…
            </a>
          </>
        )}
        {!key.revokedAt && (
          <a class="button" href={`/dashboard/keys/new?for=${key.id}`}>
            Replace…
          </a>
        )}
        {!ended && (
          <a class={replacement ? 'button' : 'button danger'} href={withQuery({ do: 'revoke' })}>
            Revoke…
          </a>
        )}
        <a class="button plain" href={`/dashboard/usage?key=${key.id}`}>
          Usage of this key
        </a>
        <a class="button plain" href={`/dashboard/settings/audit?subject=${key.id}`}>
          Log of this key
        </a>
      </div>
      <details class="more">
        <summary>All scopes</summary>
        <ScopeTable value={new Set(key.scopes)} />
      </details>
      {asked('do') === 'rename' && !ended && <RenameDialog {...dialog} />}
      {asked('do') === 'expiry' && !ended && <ExpiryDialog {...dialog} />}
      {asked('do') === 'revoke' && !ended && (
        <RevokeDialog {...dialog} recent={recent} keys={keys} />
      )}
    </div>
  );
}

const usedText = (key: ApiKey) => (key.lastUsedAt ? `last used ${lastUseText(key)}` : 'never used');
