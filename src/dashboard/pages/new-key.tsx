/** Creates a key, and shows it once. With `?for=ID` it takes the place of another one. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Scope } from '../../contract/scopes.ts';
import { newIdempotencyKey } from '../call.ts';
import { isOver } from '../key-facts.ts';
import { useAction } from '../parts/action.ts';
import {
  type Expiry,
  ExpiryFields,
  expiryText,
  expiryTime,
  hasDate,
  yearFromNow,
} from '../parts/expiry.tsx';
import { Field, Form, issueOf } from '../parts/form.tsx';
import { KeyShownOnce } from '../parts/key-shown-once.tsx';
import { Data, Page } from '../parts/page.tsx';
import { ScopeGrid } from '../parts/scope-grid.tsx';
import { go, query } from '../router.ts';
import { presets, scopesText } from '../scope-presets.ts';
import { type ApiKey, type NewKey, team } from '../team.ts';
import { useLoaded } from '../use-loaded.ts';

export function NewKeyPage(): VNode {
  const replacedId = query.value.get('for') ?? undefined;
  const replaced = useLoaded<{ key: ApiKey | undefined }>(
    `key to replace ${replacedId}`,
    async (signal) => ({
      key: replacedId
        ? (await team.all('keys', {}, signal)).find(({ id }) => id === replacedId)
        : undefined,
    }),
  );
  const [made, setMade] = useState<NewKey>();
  const done = () => go(replacedId ? `/dashboard/keys/${replacedId}` : '/dashboard/keys');
  return (
    <Page
      title={replacedId ? 'Replace a key' : 'Create a key'}
      back={{ href: '/dashboard/keys', text: 'Keys' }}
    >
      {made ? (
        <KeyShownOnce made={made} onDone={done} />
      ) : (
        <Data<{ key: ApiKey | undefined }>
          of={replaced}
          show={({ key }) => <NewKeyForm replaces={key} onMade={setMade} />}
        />
      )}
    </Page>
  );
}

interface FormProps {
  readonly replaces: ApiKey | undefined;
  readonly onMade: (made: NewKey) => void;
}

function NewKeyForm({ replaces, onMade }: FormProps): VNode {
  const preset = presets.find(({ id }) => id === query.value.get('preset'));
  const [name, setName] = useState(replaces?.name ?? '');
  const [expiry, setExpiry] = useState<Expiry>(yearFromNow);
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(
    new Set(replaces?.scopes ?? preset?.scopes),
  );
  const expiresAt = expiryTime(expiry);
  const given = { name: name.trim(), scopes: [...chosen], expiresAt: expiresAt ?? null };
  // One for what is typed: a double click, or a repeat after a lost answer, makes one key.
  const idempotencyKey = useMemo(newIdempotencyKey, [JSON.stringify(given)]);
  const create = useAction(async () =>
    onMade(await team.createKey({ ...given, replacesId: replaces?.id ?? null }, idempotencyKey)),
  );
  const isReady = name.trim() !== '' && chosen.size > 0 && hasDate(expiry);
  return (
    <Form action={create} submit="Create key" fields={Object.keys(given)} isBlocked={!isReady}>
      {replaces && (
        <p class="notice">
          {isOver(replaces)
            ? `The new key gets the scopes of “${replaces.name}”, which no longer works. Give it to the program.`
            : `The new key gets the scopes of “${replaces.name}”. Give it to the program; then watch the old one fall silent and revoke it. Until then both work.`}
        </p>
      )}
      <div class="card">
        <Field
          label="Name"
          name="name"
          value={name}
          onInput={setName}
          issue={issueOf(create, 'name')}
          isFirst
          about="The program that uses it, such as Website. One key for each program, so that one can be revoked alone."
        />
        <ExpiryFields value={expiry} onInput={setExpiry} issue={issueOf(create, 'expiresAt')} />
        {!replaces && (
          <ScopeGrid value={chosen} onInput={setChosen} issue={issueOf(create, 'scopes')} />
        )}
        {replaces && (
          <p>
            <strong>May </strong>
            {scopesText(chosen)}.
          </p>
        )}
      </div>
      <p class="summary" role="status">
        <strong>{name.trim() ? `“${name.trim()}”` : 'The key'}</strong> may {scopesText(chosen)}.{' '}
        {expiresAt ? expiryText(expiresAt) : 'It never expires.'} The scopes can’t be changed later.
      </p>
    </Form>
  );
}
