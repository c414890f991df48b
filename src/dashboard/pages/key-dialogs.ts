/** Rename, set another end, revoke. */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { h } from '../h.ts';
import { lastUseText, lateCountText, nameAmong, usedWithin } from '../key-facts.ts';
import { useAction } from '../parts/action.ts';
import { Cancel, closeDialog, Dialog } from '../parts/dialog.ts';
import { type Expiry, ExpiryFields, expiryTime, hasDate, yearFromNow } from '../parts/expiry.ts';
import { Field, Form, issueOf } from '../parts/form.ts';
import { type ApiKey, team } from '../team.ts';
import { dayKey, dayMs, plural } from '../times.ts';

interface Props {
  readonly subject: ApiKey;
  readonly reload: () => void;
}

function useUpdate({ subject, reload }: Props, body: () => Parameters<typeof team.updateKey>[1]) {
  return useAction(async () => {
    await team.updateKey(subject.id, body());
    closeDialog();
    reload();
  });
}

export function RenameDialog(props: Props): VNode {
  const [name, setName] = useState(props.subject.name);
  const rename = useUpdate(props, () => ({ name: name.trim() }));
  return h(
    Dialog,
    { title: 'Rename the key', onClose: closeDialog },
    h('p', null, 'The key itself stays, and so does what it may do.'),
    h(
      Form,
      {
        action: rename,
        submit: 'Rename',
        fields: ['name'],
        isBlocked: name.trim() === '',
        beside: h(Cancel, {}),
      },
      h(Field, {
        label: 'Name',
        name: 'name',
        value: name,
        onInput: setName,
        issue: issueOf(rename, 'name'),
        isFirst: true,
      }),
    ),
  );
}

export function ExpiryDialog(props: Props): VNode {
  const { expiresAt } = props.subject;
  const [expiry, setExpiry] = useState<Expiry>(
    expiresAt ? { kind: 'date', date: dayKey(expiresAt) } : yearFromNow(),
  );
  const set = useUpdate(props, () => ({ expiresAt: expiryTime(expiry) ?? null }));
  return h(
    Dialog,
    { title: `When does “${props.subject.name}” expire?`, onClose: closeDialog },
    h(
      Form,
      {
        action: set,
        submit: 'Set expiry',
        fields: ['expiresAt'],
        isBlocked: !hasDate(expiry),
        beside: h(Cancel, {}),
      },
      h(ExpiryFields, { value: expiry, onInput: setExpiry, issue: issueOf(set, 'expiresAt') }),
    ),
  );
}

export function RevokeDialog(
  props: Props & { readonly recent: number; readonly keys: readonly ApiKey[] },
): VNode {
  const { subject, recent, keys } = props;
  const [typed, setTyped] = useState('');
  const revoke = useUpdate(props, () => ({ revoked: true }));
  const isUsed = recent > 0 || usedWithin(subject, dayMs);
  return h(
    Dialog,
    { title: `Revoke “${nameAmong(subject, keys)}”?`, onClose: closeDialog },
    h(
      'dl',
      { class: 'facts' },
      ...[h('dt', null, 'Key'), h('dd', null, h('code', { class: 'key' }, `${subject.key}…`))],
      ...[h('dt', null, 'Last used'), h('dd', null, lastUseText(subject))],
      ...[
        h('dt', null, 'Last 24 hours'),
        h(
          'dd',
          null,
          `${plural(recent, 'request')}. `,
          h('span', { class: 'quiet' }, lateCountText),
        ),
      ],
    ),
    h(
      'p',
      null,
      'In force at once: every request with this key is refused (401). This can’t be undone.',
    ),
    h(
      Form,
      {
        action: revoke,
        submit: 'Revoke',
        isDanger: true,
        isBlocked: isUsed && typed.trim() !== subject.name,
        beside: h(Cancel, {}),
      },
      isUsed &&
        h(Field, {
          ...{
            label: `The key is in use. Type its name to go on: ${subject.name}`,
            name: 'confirm',
            value: typed,
            onInput: setTyped,
            isFirst: true,
          },
        }),
    ),
  );
}
