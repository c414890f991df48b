/** Who did what to keys, the switch, accounts and sign-ins. */
import type { VNode } from 'preact';
import { auditActions } from '../../contract/dashboard/audit-actions.ts';
import { h } from '../h.ts';
import { Data, Empty } from '../parts/page.ts';
import { Select } from '../parts/select.ts';
import { Table } from '../parts/table.ts';
import { readPageAt, useLoaded } from '../read.ts';
import { go, query, withQuery } from '../router.ts';
import { type AuditEntry, actorText } from '../team.ts';
import { dateText, plural, timeText } from '../times.ts';

const perPage = 50;

/** `key.create` as `key create`. */
const actionText = (action: string) => action.replace('.', ' ').replaceAll('-', ' ');

export function AuditPart(): VNode {
  const [action, before] = [query.value.get('action') ?? '', query.value.get('before') ?? ''];
  const loaded = useLoaded(`audit ${action} ${before}`, (signal) =>
    readPageAt<AuditEntry>('team/audit', { action, beforeId: before, limit: perPage }, signal),
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
        options: [['', 'All actions'], ...auditActions.map((one) => [one, actionText(one)] as const)],
        onInput: (value) => go(withQuery({ action: value, before: undefined })),
      }),
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
                { title: 'Who', cell: ({ actor }) => actorText(actor) },
                { title: 'What', cell: (entry) => actionText(entry.action), isTight: true },
                { title: 'Details', cell: detailsOf },
              ],
            }),
        h(
          'div',
          { class: 'actions' },
          before && h('a', { class: 'button', href: withQuery({ before: undefined }) }, 'Newest'),
          total > data.length && h('a', { class: 'button', href: withQuery({ before: data.at(-1)?.id }) }, 'Older'),
        ),
      ],
    }),
  );
}

/** `Website · csk_ab12cd34ef56 · 4 scopes · expires 22 Nov 2027`. */
function detailsOf({ details }: AuditEntry): string {
  return Object.entries(details ?? {})
    .map(([name, value]) => detailText(name, value))
    .join(' · ');
}

function detailText(name: string, value: unknown): string {
  if (name === 'prefix') return `csk_${value}`;
  if (name === 'expiresAt') return typeof value === 'string' ? `expires ${dateText(value)}` : 'never expires';
  if (Array.isArray(value)) return plural(value.length, name.replace(/s$/, ''));
  if (typeof value === 'number') return plural(value, name.replace(/s$/, ''));
  return String(value);
}
