/** Who did what to keys, the switch, accounts and sign-ins. */
import type { VNode } from 'preact';
import { auditActions } from '../../contract/dashboard/audit-actions.ts';
import { actionTitle, auditText } from '../audit-text.ts';
import { h } from '../h.ts';
import { Address } from '../parts/address.ts';
import { Data, Empty } from '../parts/page.ts';
import { Select } from '../parts/select.ts';
import { Table } from '../parts/table.ts';
import { readPageAt, useLoaded } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { type AuditEntry, actorText } from '../team.ts';
import { timeText } from '../times.ts';

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
  return h(
    'div',
    { class: 'stack' },
    h(
      'div',
      { class: 'bar' },
      h(Select, {
        label: 'Action',
        value: action,
        options: [
          ['', 'All actions'],
          ...auditActions.map((one) => [one, actionTitle(one)] as const),
        ],
        onInput: (value) => go(withQuery({ action: value, before: undefined })),
      }),
      subject &&
        h(
          'p',
          null,
          'Entries about one key. ',
          h('a', { href: withQuery({ subject: undefined, before: undefined }) }, 'Show all'),
        ),
    ),
    h(Data<{ readonly data: readonly AuditEntry[]; readonly total: number }>, {
      of: loaded,
      show: ({ data, total }) => [
        data.length === 0
          ? h(Empty, { title: 'Nothing is recorded here' })
          : h(Table<AuditEntry>, {
              caption: 'Audit log, newest first',
              keyOf: ({ id }) => id,
              rows: data,
              columns: [
                { title: 'When', cell: ({ at }) => timeText(at), isTight: true },
                {
                  title: 'Who',
                  cell: ({ actor }) => h(Address, { text: actorText(actor) }),
                  isName: true,
                },
                { title: 'What', cell: (entry) => h(Address, { text: auditText(entry) }) },
              ],
            }),
        h(
          'div',
          { class: 'actions' },
          before && h('a', { class: 'button', href: withQuery({ before: undefined }) }, 'Newest'),
          total > data.length &&
            h('a', { class: 'button', href: withQuery({ before: data.at(-1)?.id }) }, 'Older'),
        ),
      ],
    }),
  );
}
