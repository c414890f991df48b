/** Who may sign in, displays on a wall, and the browsers that are signed in. */
import type { ComponentChildren } from 'preact';
import { Address } from '../parts/facts.tsx';
import { Tag } from '../parts/page.tsx';
import { TeamList } from '../parts/team-list.tsx';
import type { Admin, Screen } from '../read.ts';
import { session } from '../session.ts';
import { dateText, relativeText, timeText } from '../times.ts';

const isOwn = ({ email }: Admin) => email === session.value?.email;

export const AdminsPart = () => (
  <TeamList
    list="admins"
    caption="Accounts"
    about="Admins see everything of the team, and manage its keys and accounts. Staff work with cars and appointments, and are signed out after 12 hours."
    columns={[
      {
        title: 'E-mail',
        cell: (admin) => (
          <>
            <strong>
              <Address text={admin.email} />
            </strong>
            {admin.role === 'staff' && [' ', <Tag>staff</Tag>]}
            {isOwn(admin) && [' ', <Tag>you</Tag>]}
            {admin.name && admin.name !== admin.email && (
              <span class="quiet beside"> {admin.name}</span>
            )}
          </>
        ),
      },
      { title: 'Last seen', cell: seenText, isTight: true },
      { title: 'Added', cell: ({ createdAt }) => dateText(createdAt), isTight: true },
    ]}
    link={({ email, hasPassword }) => ({
      name: email,
      title: `${hasPassword ? 'New' : 'First'} password for ${email}`,
      about:
        'Send it to them yourself. It is shown only here; whoever opens it first sets the password.',
    })}
    end={(admin) =>
      isOwn(admin)
        ? undefined
        : {
            verb: 'Remove',
            what: admin.email,
            text: 'Their browsers are signed out at once. Keys that they created stay.',
          }
    }
    add={{
      title: 'Add an account',
      submit: 'Add and make the link',
      name: 'email',
      label: 'E-mail',
      choice: {
        field: 'role',
        label: 'Role',
        options: [
          ['admin', 'Admin, everything'],
          ['staff', 'Staff, cars and appointments'],
        ],
      },
    }}
  />
);

export const ScreensPart = () => (
  <TeamList
    list="screens"
    caption="Screens"
    about="A screen shows the board and today to everybody who sees it, and can change nothing. It stays signed in for a year, unless it is off for 30 days."
    empty={{
      title: 'No screens yet',
      text: 'Give a display on the wall its own link: no account, no password.',
    }}
    columns={[
      { title: 'Name', cell: ({ name }) => <span class="strong">{name}</span> },
      { title: 'Last seen', cell: seenText, isTight: true },
      { title: 'Added', cell: ({ createdAt }) => dateText(createdAt), isTight: true },
    ]}
    link={({ name }) => ({
      name,
      title: `Open this link on “${name}”`,
      codeTitle: `The link for ${name} as a code`,
    })}
    end={({ name }) => ({
      verb: 'End',
      what: `“${name}”`,
      text: 'It shows nothing from now on. To bring it back later, add it again.',
    })}
    add={{
      title: 'Add a screen',
      submit: 'Make the link',
      name: 'name',
      label: 'Name',
      about: 'Where it hangs, such as Hall A entrance.',
    }}
  />
);

export const SessionsPart = () => (
  <TeamList
    list="sessions"
    caption="Browser sessions"
    about="End what you do not know: it is signed out at once."
    columns={[
      {
        title: 'Who',
        cell: ({ name, role, isCurrent }) => (
          <>
            <strong>
              <Address text={name} />
            </strong>
            {role !== 'admin' && [' ', <Tag>{role}</Tag>]}
            {isCurrent && [' ', <Tag kind="good">this browser</Tag>]}
          </>
        ),
      },
      {
        title: 'Device',
        cell: ({ device, address }) => [device, address && `, ${address}`],
      },
      { title: 'Signed in', cell: ({ createdAt }) => timeText(createdAt) },
      { title: 'Last seen', cell: ({ lastSeenAt }) => relativeText(lastSeenAt), isTight: true },
    ]}
    end={({ name, device, isCurrent }) =>
      isCurrent
        ? undefined
        : {
            verb: 'End',
            what: `the session of ${name}`,
            text: `${name} on ${device} is signed out at once.`,
          }
    }
  />
);

/** When it was last seen; where nobody is signed in, why. */
function seenText({ state, lastSeenAt, linkEndsAt }: Admin | Screen): ComponentChildren {
  const seen = lastSeenAt ? relativeText(lastSeenAt) : 'never';
  const beside = (text: string) => <span class="quiet beside"> {text}</span>;
  const ends = linkEndsAt && beside(`ends ${relativeText(linkEndsAt)}`);
  switch (state) {
    case 'active':
      return linkEndsAt ? [seen, beside(`new link ends ${relativeText(linkEndsAt)}`)] : seen;
    case 'invited':
      return [<Tag kind="warn">link not opened yet</Tag>, ends];
    case 'link_ended':
      return <Tag kind="bad">link ended</Tag>;
    default:
      return [<Tag kind="bad">signed out</Tag>, lastSeenAt && beside(seen)];
  }
}
