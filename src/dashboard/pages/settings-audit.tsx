/** Who did what to keys, the switch, accounts and sign-ins. */
import type { VNode } from 'preact';
import { auditActions } from '../../contract/dashboard/audit-actions.ts';
import { actionTitle, auditText } from '../audit-text.ts';
import { Address } from '../parts/address.tsx';
import { Data, Empty } from '../parts/page.tsx';
import { Select } from '../parts/select.tsx';
import { Table } from '../parts/table.tsx';
import { readPageAt } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { type AuditEntry, actorText } from '../team.ts';
import { timeText } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

const perPage = 50;

export function AuditPart(): VNode {
  const [action = '', before = '', subject = ''] = ['action', 'before', 'subject'].map(
    (name) => query.value.get(name) ?? '',
  );
  const loaded = useLoaded(`audit ${action} ${before} ${subject}`, (signal) =>
    readPageAt<AuditEntry>(
      'team/audit',
      { action, subject, beforeId: before, limit: perPage },
      signal,
    ),
  );
  return (
    <div class="stack">
      <div class="bar">
        <Select
          label="Action"
          value={action}
          options={[
            ['', 'All actions'],
            ...auditActions.map((one) => [one, actionTitle(one)] as const),
          ]}
          onInput={(value) => go(withQuery({ action: value, before: undefined }))}
        />
        {subject && (
          <p>
            Entries about one key.{' '}
            <a href={withQuery({ subject: undefined, before: undefined })}>Show all</a>
          </p>
        )}
      </div>
      <Data<{ readonly data: readonly AuditEntry[]; readonly total: number }>
        of={loaded}
        show={({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Empty title="Nothing is recorded here" />
            ) : (
              <Table<AuditEntry>
                caption="Audit log, newest first"
                keyOf={({ id }) => id}
                rows={data}
                columns={[
                  { title: 'When', cell: ({ at }) => timeText(at), isTight: true },
                  {
                    title: 'Who',
                    cell: ({ actor }) => <Address text={actorText(actor)} />,
                    isName: true,
                  },
                  { title: 'What', cell: (entry) => <Address text={auditText(entry)} /> },
                ]}
              />
            )}
            <div class="actions">
              {before && (
                <a class="button" href={withQuery({ before: undefined })}>
                  Newest
                </a>
              )}
              {total > data.length && (
                <a class="button" href={withQuery({ before: data.at(-1)?.id })}>
                  Older
                </a>
              )}
            </div>
          </>
        )}
      />
    </div>
  );
}
