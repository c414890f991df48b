/** Who did what to keys, the switch, accounts and sign-ins. */
import { auditActions } from '../../contract/dashboard/audit-actions.ts';
import { actionTitle, actorText, auditText } from '../audit-text.ts';
import { Address } from '../parts/facts.tsx';
import { Filter } from '../parts/filter.tsx';
import { Data, Empty } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { readPage } from '../read.ts';
import { asked, askedId, withQuery } from '../router.ts';
import { timeText } from '../times.ts';
import { useLoaded } from '../use-loaded.ts';

const perPage = 50;

export function AuditPart() {
  const action = asked('action');
  const [before, subject] = ['before', 'subject'].map(askedId);
  const loaded = useLoaded(`audit ${action} ${before} ${subject}`, () =>
    readPage('team/audit', { action, subject, beforeId: before, limit: perPage }),
  );
  return (
    <div class="stack">
      <div class="bar">
        <Filter
          label="Action"
          name="action"
          options={[
            ['', 'All actions'],
            ...auditActions.map((one) => [one, actionTitle(one)] as const),
          ]}
        />
        {subject && (
          <p>
            Entries about one key.{' '}
            <a href={withQuery({ subject: undefined, before: undefined })}>Show all</a>
          </p>
        )}
      </div>
      <Data
        of={loaded}
        show={({ data, total }) => (
          <>
            {data.length === 0 ? (
              <Empty title="Nothing is recorded here" />
            ) : (
              <Table
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
                  {
                    title: 'What',
                    cell: ({ action, details }) => <Address text={auditText(action, details)} />,
                  },
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
