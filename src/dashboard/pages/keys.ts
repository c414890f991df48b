/** The keys of the team, and the switch for all of them. */
import type { VNode } from 'preact';
import { h } from '../h.ts';
import {
  dailyRequests,
  isOver,
  lastUseText,
  remarksOn,
  stateOf,
  usedWithin,
} from '../key-facts.ts';
import { readIntegration } from '../parts/integration-strip.ts';
import { Data, Empty, Page, Tag } from '../parts/page.ts';
import { Sparkline } from '../parts/sparkline.ts';
import { type Column, Table } from '../parts/table.ts';
import { useLoaded } from '../read.ts';
import { type ApiKey, team, type UsageRow } from '../team.ts';
import { dateText, dayKey, dayMs, numberText, plural, shiftDay, startOfDay } from '../times.ts';
import { IntegrationCard } from './integration.ts';

const days = 30;

async function readKeys(signal: AbortSignal) {
  const from = startOfDay(shiftDay(dayKey(new Date()), 1 - days)).toISOString();
  const [keys, usage, integration] = await Promise.all([
    team.all('keys', {}, signal),
    team.usage({ from, step: 'day' }, signal),
    readIntegration(signal),
  ]);
  return { keys, usage: usage.rows, integration };
}

export function KeysPage(): VNode {
  const loaded = useLoaded('keys', readKeys, { live: true });
  return h(
    Page,
    {
      title: 'Keys',
      beside: h('a', { class: 'button primary', href: '/dashboard/keys/new' }, 'Create key'),
    },
    h(Data<Awaited<ReturnType<typeof readKeys>>>, {
      of: loaded,
      show: ({ keys, usage, integration }) => {
        const [over, current] = [
          keys.filter((key) => isOver(key)),
          keys.filter((key) => !isOver(key)),
        ];
        return [
          h(IntegrationCard, { integration, keys: current, reload: loaded.reload }),
          current.length > 0
            ? h(Table<ApiKey>, {
                caption: 'Keys in force',
                columns: columnsWith(keys, usage),
                rows: current,
                keyOf: ({ id }) => id,
              })
            : h(
                Empty,
                { title: 'No key is in force' },
                h(
                  'p',
                  null,
                  'A program needs a key to read or write the records of this team. Each program should have its own.',
                ),
                h('a', { class: 'button', href: '/dashboard/keys/new' }, 'Create the first key'),
              ),
          over.length > 0 &&
            h(
              'details',
              { class: 'more' },
              h('summary', null, `Revoked and expired (${numberText(over.length)})`),
              h(Table<ApiKey>, {
                caption: 'Revoked and expired keys',
                columns: overColumns,
                rows: over,
                keyOf: ({ id }) => id,
              }),
            ),
        ];
      },
    }),
  );
}

const nameColumn = (keys: readonly ApiKey[]): Column<ApiKey> => ({
  title: 'Name',
  cell: (key) => [
    h('a', { class: 'strong', href: `/dashboard/keys/${key.id}` }, key.name),
    ...remarksOn(key, keys).map(({ kind, text }) => [' ', h(Tag, { kind }, `⚠ ${text}`)]),
  ],
});
const keyColumn: Column<ApiKey> = {
  title: 'Key',
  cell: ({ key }) => h('code', { class: 'key' }, `${key}…`),
  isOffPaper: true,
};

const columnsWith = (keys: readonly ApiKey[], usage: readonly UsageRow[]): Column<ApiKey>[] => [
  nameColumn(keys),
  keyColumn,
  { title: 'Scopes', cell: ({ scopes }) => numberText(scopes.length), isNumber: true },
  { title: 'Last used', cell: lastUseText, isTight: true },
  {
    title: 'Expires',
    cell: ({ expiresAt }) => (expiresAt ? dateText(expiresAt) : 'never'),
    isTight: true,
  },
  {
    title: `${days} days`,
    cell: (key) => {
      const values = dailyRequests(usage, key.id, days);
      const sum = values.reduce((total, value) => total + value, 0);
      return sum === 0
        ? h(
            'span',
            { class: 'quiet' },
            usedWithin(key, days * dayMs) ? 'not counted yet' : 'no requests',
          )
        : h(Sparkline, { values, title: `${plural(sum, 'request')} in ${days} days` });
    },
  },
];

const overColumns: Column<ApiKey>[] = [
  nameColumn([]),
  keyColumn,
  { title: 'State', cell: (key) => stateOf(key), isTight: true },
  { title: 'Last used', cell: lastUseText, isTight: true },
];
