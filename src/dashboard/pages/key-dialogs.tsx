/** Rename, set another end, revoke. */
import { useState } from 'preact/hooks';
import type { DashboardUpdate } from '../../contract/dashboard/dashboard.ts';
import { lastUseText, lateCountText, nameAmong, usedWithin } from '../key-facts.ts';
import { Cancel, closeDialog, Dialog } from '../parts/dialog.tsx';
import { type Expiry, ExpiryFields, expiryTime, hasDate, yearFromNow } from '../parts/expiry.tsx';
import { Facts } from '../parts/facts.tsx';
import { Field, Form, useAction, useFields } from '../parts/form.tsx';
import { type ApiKey, write } from '../read.ts';
import { dayKey, dayMs, plural } from '../times.ts';

interface Props {
  readonly subject: ApiKey;
  readonly reload: () => void;
}

function useUpdate({ subject, reload }: Props, body: () => DashboardUpdate<'keys'>) {
  return useAction(async () => {
    await write('PATCH', `team/keys/${subject.id}`, body());
    closeDialog();
    reload();
  });
}

export function RenameDialog(props: Props) {
  const { values, field } = useFields({ name: props.subject.name });
  const name = values.name.trim();
  const rename = useUpdate(props, () => ({ name }));
  return (
    <Dialog title="Rename the key" onClose={closeDialog}>
      <p>The key itself stays, and so does what it may do.</p>
      <Form action={rename} submit="Rename" isBlocked={name === ''} beside={<Cancel />}>
        <Field label="Name" {...field('name')} isFirst />
      </Form>
    </Dialog>
  );
}

export function ExpiryDialog(props: Props) {
  const { expiresAt } = props.subject;
  const [expiry, setExpiry] = useState<Expiry>(
    expiresAt ? { kind: 'date', date: dayKey(expiresAt) } : yearFromNow(),
  );
  const set = useUpdate(props, () => ({ expiresAt: expiryTime(expiry) ?? null }));
  return (
    <Dialog title={`When does “${props.subject.name}” expire?`} onClose={closeDialog}>
      <Form action={set} submit="Set expiry" isBlocked={!hasDate(expiry)} beside={<Cancel />}>
        <ExpiryFields value={expiry} onInput={setExpiry} />
      </Form>
    </Dialog>
  );
}

export function RevokeDialog(
  props: Props & { readonly recent: number; readonly keys: readonly ApiKey[] },
) {
  const { subject, recent, keys } = props;
  const { values, field } = useFields({ confirm: '' });
  const revoke = useUpdate(props, () => ({ revoked: true }));
  const isUsed = recent > 0 || usedWithin(subject, dayMs);
  return (
    <Dialog title={`Revoke “${nameAmong(subject, keys)}”?`} onClose={closeDialog}>
      <Facts
        of={[
          ['Key', <code class="key">{subject.key}…</code>],
          ['Last used', lastUseText(subject)],
          [
            'Last 24 hours',
            <>
              {plural(recent, 'request')}. <span class="quiet">{lateCountText}</span>
            </>,
          ],
        ]}
      />
      <p>In force at once: every request with this key is refused (401). This can’t be undone.</p>
      <Form
        action={revoke}
        submit="Revoke"
        isDanger
        isBlocked={isUsed && values.confirm.trim() !== subject.name}
        beside={<Cancel />}
      >
        {isUsed && (
          <Field
            label={`The key is in use. Type its name to go on: ${subject.name}`}
            {...field('confirm')}
            isFirst
          />
        )}
      </Form>
    </Dialog>
  );
}
