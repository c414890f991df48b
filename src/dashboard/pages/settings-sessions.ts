/** The browsers that are signed in. */
import type { VNode } from 'preact';
import { h } from '../h.ts';
import { Address } from '../parts/address.ts';
import { Data, Tag } from '../parts/page.ts';
import { RemoveDialog, removeHref } from '../parts/remove-dialog.ts';
import { Table } from '../parts/table.ts';
import { useLoaded } from '../read.ts';
import { query } from '../router.ts';
import { type BrowserSession, team } from '../team.ts';
import { relativeText, timeText } from '../times.ts';

export function SessionsPart(): VNode {
  const loaded = useLoaded('sessions', (signal) => team.all('sessions', {}, signal));
  return h(
    'div',
    { class: 'stack' },
    h('p', null, 'End what you do not know: it is signed out at once.'),
    h(Data<readonly BrowserSession[]>, {
      of: loaded,
      show: (sessions) => h(SessionTable, { sessions, reload: loaded.reload }),
    }),
  );
}

function SessionTable({
  sessions,
  reload,
}: {
  readonly sessions: readonly BrowserSession[];
  readonly reload: () => void;
}): VNode {
  const asked =
    query.value.get('do') === 'remove'
      ? sessions.find(({ id }) => id === query.value.get('id'))
      : undefined;
  return h(
    'div',
    { class: 'stack' },
    h(Table<BrowserSession>, {
      caption: 'Browser sessions',
      keyOf: ({ id }) => id,
      rows: sessions,
      columns: [
        {
          title: 'Who',
          cell: ({ name, role, isCurrent }) => [
            h('strong', null, h(Address, { text: name })),
            role === 'screen' ? [' ', h(Tag, {}, 'screen')] : '',
            isCurrent ? [' ', h(Tag, { kind: 'good' }, 'this browser')] : '',
          ],
        },
        {
          title: 'Device',
          cell: ({ device, address }) => [device ?? 'unknown', address ? `, ${address}` : ''],
        },
        { title: 'Signed in', cell: ({ createdAt }) => timeText(createdAt) },
        { title: 'Last seen', cell: ({ lastSeenAt }) => relativeText(lastSeenAt), isTight: true },
        {
          title: 'Actions',
          cell: ({ id, name, isCurrent }) =>
            !isCurrent &&
            h(
              'a',
              {
                class: 'button danger',
                href: removeHref(id),
                'aria-label': `End the session of ${name}…`,
              },
              'End…',
            ),
        },
      ],
    }),
    asked &&
      h(
        RemoveDialog,
        {
          title: 'End this session?',
          list: 'sessions',
          id: asked.id,
          submit: 'End the session',
          onDone: reload,
        },
        `${asked.name} on ${asked.device ?? 'an unknown device'} is signed out at once.`,
      ),
  );
}
