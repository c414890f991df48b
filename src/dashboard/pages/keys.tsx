/** The keys of the team, and the switch for all of them. */
import { useEffect, useMemo } from 'preact/hooks';
import { follow } from '../followed.ts';
import {
  dailyRequests,
  isOver,
  lastUseText,
  remarksOn,
  stateOf,
  sumOf,
  usedWithin,
} from '../key-facts.ts';
import { matches } from '../matches.ts';
import { Filter, SearchField } from '../parts/filter.tsx';
import { useIntegration } from '../parts/integration-strip.tsx';
import { Data, Empty, Page, Tag } from '../parts/page.tsx';
import { Sparkline } from '../parts/sparkline.tsx';
import { type Column, sortedRows, Table } from '../parts/table.tsx';
import { type ApiKey, readAll, readAt, type Usage, type UsageRow } from '../read.ts';
import { asked } from '../router.ts';
import {
  dateText,
  dayKey,
  dayMs,
  minuteMs,
  numberText,
  plural,
  shiftDay,
  startOfDay,
} from '../times.ts';
import { useLoaded } from '../use-loaded.ts';
import { IntegrationCard } from './integration.tsx';

const days = 30;

interface KeysAndUse {
  readonly keys: readonly ApiKey[];
  readonly usage: readonly UsageRow[];
}

/** With a change, the keys that it changed. The use of a key is no change of the team: it is read each minute, the earlier days once. */
function keysReader(): () => Promise<KeysAndUse> {
  const usage = new Map<string, UsageRow>();
  let usedAt = 0;
  let isDue = true;
  const readKeys = follow((updatedAfter) => readAll('team/keys', isDue ? {} : { updatedAfter }));
  return async () => {
    isDue = Date.now() - usedAt >= minuteMs / 2;
    const first = usage.size === 0 ? 1 - days : -1;
    const from = startOfDay(shiftDay(dayKey(new Date()), first)).toISOString();
    const [keys, counted] = await Promise.all([
      readKeys(),
      isDue ? readAt<Usage>('team/usage', { from, step: 'day' }) : { rows: [] },
    ]);
    for (const row of counted.rows) usage.set(`${row.keyId} ${row.at}`, row);
    if (isDue) usedAt = Date.now();
    return { keys: [...keys.values()], usage: [...usage.values()] };
  };
}

export function KeysPage() {
  const read = useMemo(keysReader, []);
  const loaded = useLoaded('keys', read, { live: true });
  useEffect(() => {
    const timer = setInterval(loaded.reload, minuteMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <Page
      title="Keys"
      beside={
        <a class="button primary" href="/dashboard/keys/new">
          Create key
        </a>
      }
    >
      <Data of={loaded} show={(data) => <Keys {...data} />} />
    </Page>
  );
}

/** A short list needs no search. */
const few = 8;
const filters = [
  ['', 'All keys'],
  ['marked', 'To look at'],
  ['silent', 'Unused for 30 days'],
] as const;

function Keys({ keys, usage }: KeysAndUse) {
  const integration = useIntegration();
  const over = keys.filter((key) => isOver(key));
  const current = keys.filter((key) => !isOver(key));
  const show = asked('show');
  const wanted = current.filter(
    (key) =>
      matches(asked('q'), [key.name, key.key]) &&
      (show !== 'marked' || remarksOn(key, keys).length > 0) &&
      (show !== 'silent' || !usedWithin(key, days * dayMs)),
  );
  const columns = columnsWith(keys, dailyRequests(usage, days));
  return (
    <>
      <Data
        of={integration}
        show={(data) => (
          <IntegrationCard integration={data} keys={current} reload={integration.reload} />
        )}
      />
      {current.length > few && (
        <search class="bar">
          <SearchField label="Name or first letters" />
          <Filter label="Show" name="show" options={filters} />
        </search>
      )}
      {wanted.length > 0 ? (
        <Table
          caption="Keys in force"
          columns={columns}
          rows={sortedRows(columns, wanted)}
          keyOf={({ id }) => id}
        />
      ) : current.length > 0 ? (
        <Empty title="No key matches">
          <p>
            <a href="/dashboard/keys">Show all keys</a>
          </p>
        </Empty>
      ) : (
        <Empty title="No key is in force">
          <p>
            A program needs a key to read or write the records of this team. Each program should
            have its own.
          </p>
          <a class="button" href="/dashboard/keys/new">
            Create the first key
          </a>
        </Empty>
      )}
      {over.length > 0 && (
        <details class="more">
          <summary>Revoked and expired ({numberText(over.length)})</summary>
          <Table
            caption="Revoked and expired keys"
            columns={overColumns}
            rows={over}
            keyOf={({ id }) => id}
          />
        </details>
      )}
    </>
  );
}

const nameColumn = (keys: readonly ApiKey[]): Column<ApiKey> => ({
  title: 'Name',
  value: ({ name }) => name,
  cell: (key) => (
    <>
      <a class="strong" href={`/dashboard/keys/${key.id}`}>
        {key.name}
      </a>
      {remarksOn(key, keys).map(({ kind, text }) => [' ', <Tag kind={kind}>⚠ {text}</Tag>])}
    </>
  ),
});
const keyColumn: Column<ApiKey> = {
  title: 'Key',
  cell: ({ key }) => <code class="key">{key}…</code>,
  isOffPaper: true,
};
const useColumn: Column<ApiKey> = {
  title: 'Last used',
  value: ({ lastUsedAt }) => lastUsedAt ?? '',
  cell: lastUseText,
  isTight: true,
};

const columnsWith = (
  keys: readonly ApiKey[],
  requestsOf: (keyId: string) => number[],
): Column<ApiKey>[] => [
  nameColumn(keys),
  keyColumn,
  {
    title: 'Scopes',
    value: ({ scopes }) => scopes.length,
    cell: ({ scopes }) => numberText(scopes.length),
    isNumber: true,
  },
  useColumn,
  {
    title: 'Expires',
    value: ({ expiresAt }) => expiresAt ?? '',
    cell: ({ expiresAt }) => (expiresAt ? dateText(expiresAt) : 'never'),
    isTight: true,
  },
  {
    title: `${days} days`,
    value: ({ id }) => sumOf(requestsOf(id)),
    cell: (key) => {
      const values = requestsOf(key.id);
      const sum = sumOf(values);
      return sum === 0 ? (
        <span class="quiet">
          {usedWithin(key, days * dayMs) ? 'not counted yet' : 'no requests'}
        </span>
      ) : (
        <Sparkline values={values} title={`${plural(sum, 'request')} in ${days} days`} />
      );
    },
  },
];

const overColumns: Column<ApiKey>[] = [
  nameColumn([]),
  keyColumn,
  { title: 'State', cell: (key) => stateOf(key), isTight: true },
  { ...useColumn, value: undefined },
];
