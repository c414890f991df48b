/** Displays on a wall, which show the board and the day. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { newIdempotencyKey } from '../call.ts';
import { h } from '../h.ts';
import { NewLinkButton, seenText } from '../parts/account-row.ts';
import { useAction } from '../parts/action.ts';
import { Field, Form, issueOf } from '../parts/form.ts';
import { OneTimeLink } from '../parts/one-time-link.ts';
import { Data, Empty } from '../parts/page.ts';
import { RemoveDialog, removeHref } from '../parts/remove-dialog.ts';
import { Table } from '../parts/table.ts';
import { useLoaded } from '../read.ts';
import { query } from '../router.ts';
import { type Link, type Screen, team } from '../team.ts';
import { dateText } from '../times.ts';

export function ScreensPart(): VNode {
  const loaded = useLoaded('screens', (signal) => team.all('screens', {}, signal));
  const [made, setMade] = useState<Link & { readonly name: string }>();
  const [name, setName] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const type = (text: string) => {
    setName(text);
    setIdempotencyKey(newIdempotencyKey());
  };
  const onLink = (link: Link & { readonly name: string }) => {
    setMade(link);
    loaded.reload();
  };
  const add = useAction(async () => {
    const { link, linkEndsAt } = await team.addScreen({ name: name.trim() }, idempotencyKey);
    type('');
    onLink({ link, linkEndsAt, name: name.trim() });
  });
  return h(
    'div',
    { class: 'stack' },
    h(
      'p',
      null,
      'A screen shows the board and today to everybody who sees it, and can change nothing. It stays signed in for a year, unless it is off for 30 days.',
    ),
    made &&
      h(OneTimeLink, {
        key: made.link,
        link: made.link,
        linkEndsAt: made.linkEndsAt,
        title: `Open this link on “${made.name}”`,
        codeTitle: `The link for ${made.name} as a code`,
        onDone: () => setMade(undefined),
      }),
    h(Data<readonly Screen[]>, {
      of: loaded,
      show: (screens) => h(ScreenTable, { screens, onLink, reload: loaded.reload }),
    }),
    h(
      'section',
      { class: 'card', 'aria-labelledby': 'add-screen' },
      h('h2', { id: 'add-screen' }, 'Add a screen'),
      h(
        Form,
        { action: add, submit: 'Make the link', fields: ['name'], isBlocked: name.trim() === '' },
        h(Field, {
          label: 'Name',
          name: 'screen',
          value: name,
          onInput: type,
          issue: issueOf(add, 'name'),
          about: 'Where it hangs, such as Hall A entrance.',
        }),
      ),
    ),
  );
}

interface TableProps {
  readonly screens: readonly Screen[];
  readonly onLink: (link: Link & { readonly name: string }) => void;
  readonly reload: () => void;
}

function ScreenTable({ screens, onLink, reload }: TableProps): VNode {
  const asked =
    query.value.get('do') === 'remove'
      ? screens.find(({ id }) => id === query.value.get('id'))
      : undefined;
  if (screens.length === 0)
    return h(
      Empty,
      { title: 'No screens yet' },
      h('p', null, 'Give a display on the wall its own link: no account, no password.'),
    );
  return h(
    'div',
    { class: 'stack' },
    h(Table<Screen>, {
      caption: 'Screens',
      keyOf: ({ id }) => id,
      rows: screens,
      columns: [
        { title: 'Name', cell: ({ name }) => h('span', { class: 'strong' }, name) },
        {
          title: 'Last seen',
          cell: seenText,
        },
        { title: 'Added', cell: ({ createdAt }) => dateText(createdAt), isTight: true },
        {
          title: 'Actions',
          cell: ({ id, name }) =>
            h(
              'div',
              { class: 'actions' },
              h(NewLinkButton, {
                list: 'screens',
                id,
                name,
                onLink: (link) => onLink({ ...link, name }),
              }),
              h(
                'a',
                { class: 'button danger', href: removeHref(id), 'aria-label': `End ${name}…` },
                'End…',
              ),
            ),
        },
      ],
    }),
    asked &&
      h(
        RemoveDialog,
        {
          title: `End “${asked.name}”?`,
          list: 'screens',
          id: asked.id,
          submit: 'End the screen',
          onDone: reload,
        },
        'It shows nothing from now on. To bring it back later, add it again.',
      ),
  );
}
