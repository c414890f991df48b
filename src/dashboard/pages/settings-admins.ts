/** Who may manage the team. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { newIdempotencyKey } from '../call.ts';
import { h } from '../h.ts';
import { NewLinkButton, seenText } from '../parts/account-row.ts';
import { useAction } from '../parts/action.ts';
import { Address } from '../parts/address.ts';
import { Field, Form, issueOf } from '../parts/form.ts';
import { OneTimeLink } from '../parts/one-time-link.ts';
import { Data, Tag } from '../parts/page.ts';
import { RemoveDialog, removeHref } from '../parts/remove-dialog.ts';
import { Table } from '../parts/table.ts';
import { useLoaded } from '../read.ts';
import { query } from '../router.ts';
import { session } from '../session.ts';
import { type Admin, type Link, team } from '../team.ts';
import { dateText } from '../times.ts';

export function AdminsPart(): VNode {
  const loaded = useLoaded('admins', (signal) => team.all('admins', {}, signal));
  const [made, setMade] = useState<Link & { readonly title: string }>();
  const onLink = (link: Link & { readonly title: string }) => {
    setMade(link);
    loaded.reload();
  };
  return h(
    'div',
    { class: 'stack' },
    h('p', null, 'Admins see everything of the team, and manage its keys and accounts.'),
    made &&
      h(
        OneTimeLink,
        { ...made, key: made.link, onDone: () => setMade(undefined) },
        h(
          'p',
          null,
          'Send it to them yourself. It is shown only here; whoever opens it first sets the password.',
        ),
      ),
    h(Data<readonly Admin[]>, {
      of: loaded,
      show: (admins) => h(AdminTable, { admins, onLink, reload: loaded.reload }),
    }),
    h(AddAdmin, { onMade: onLink }),
  );
}

interface TableProps {
  readonly admins: readonly Admin[];
  readonly onLink: (link: Link & { readonly title: string }) => void;
  readonly reload: () => void;
}

function AdminTable({ admins, onLink, reload }: TableProps): VNode {
  const own = session.value?.email;
  const asked =
    query.value.get('do') === 'remove'
      ? admins.find(({ id }) => id === query.value.get('id'))
      : undefined;
  return h(
    'div',
    { class: 'stack' },
    h(Table<Admin>, {
      caption: 'Admins',
      keyOf: ({ id }) => id,
      rows: admins,
      columns: [
        {
          title: 'E-mail',
          cell: ({ email, name }) => [
            h('strong', null, h(Address, { text: email })),
            email === own ? [' ', h(Tag, {}, 'you')] : '',
            name && name !== email ? h('span', { class: 'quiet beside' }, ` ${name}`) : '',
          ],
        },
        {
          title: 'Last seen',
          cell: seenText,
        },
        { title: 'Added', cell: ({ createdAt }) => dateText(createdAt), isTight: true },
        {
          title: 'Actions',
          cell: (admin) =>
            h(
              'div',
              { class: 'actions' },
              h(NewLinkButton, {
                list: 'admins',
                id: admin.id,
                name: admin.email,
                onLink: (link) =>
                  onLink({
                    ...link,
                    title: admin.hasPassword
                      ? `New password for ${admin.email}`
                      : `First password for ${admin.email}`,
                  }),
              }),
              admin.email !== own &&
                h(
                  'a',
                  {
                    class: 'button danger',
                    href: removeHref(admin.id),
                    'aria-label': `Remove ${admin.email}…`,
                  },
                  'Remove…',
                ),
            ),
        },
      ],
    }),
    asked &&
      h(
        RemoveDialog,
        {
          title: `Remove ${asked.email}?`,
          list: 'admins',
          id: asked.id,
          submit: 'Remove',
          onDone: reload,
        },
        'Their browsers are signed out at once. Keys that they created stay.',
      ),
  );
}

function AddAdmin({
  onMade,
}: {
  readonly onMade: (link: Link & { readonly title: string }) => void;
}): VNode {
  const [email, setEmail] = useState('');
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const add = useAction(async () => {
    const made = await team.addAdmin({ email }, idempotencyKey);
    setEmail('');
    setIdempotencyKey(newIdempotencyKey());
    onMade({ link: made.link, linkEndsAt: made.linkEndsAt, title: `Link for ${made.email}` });
  });
  const type = (text: string) => {
    setEmail(text);
    setIdempotencyKey(newIdempotencyKey());
  };
  return h(
    'section',
    { class: 'card', 'aria-labelledby': 'add-admin' },
    h('h2', { id: 'add-admin' }, 'Add an admin'),
    h(
      Form,
      {
        action: add,
        submit: 'Add and make the link',
        fields: ['email'],
        isBlocked: email.trim() === '',
      },
      h(Field, {
        label: 'E-mail',
        name: 'new-email',
        type: 'email',
        value: email,
        onInput: type,
        issue: issueOf(add, 'email'),
      }),
    ),
  );
}
