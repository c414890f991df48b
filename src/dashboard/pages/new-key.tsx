/** Creates a key, and shows it once. With `?for=ID` it takes the place of another one. */
import { useMemo, useState } from 'preact/hooks';
import type { Scope } from '../../contract/scopes.ts';
import { newIdempotencyKey } from '../call.ts';
import { isOver } from '../key-facts.ts';
import {
  type Expiry,
  ExpiryFields,
  expiryText,
  expiryTime,
  hasDate,
  yearFromNow,
} from '../parts/expiry.tsx';
import { Field, Form, useAction } from '../parts/form.tsx';
import { KeyShownOnce } from '../parts/key-shown-once.tsx';
import { Data, Page } from '../parts/page.tsx';
import { ScopeChoice } from '../parts/scopes.tsx';
import { type ApiKey, readAll, write } from '../read.ts';
import { asked, go } from '../router.ts';
import { presets, scopesText } from '../scope-presets.ts';
import { useLoaded } from '../use-loaded.ts';

export function NewKeyPage() {
  const replacedId = asked('for');
  const loaded = useLoaded(`key to replace ${replacedId}`, async () =>
    replacedId ? readAll('team/keys', {}) : [],
  );
  const [made, setMade] = useState<ApiKey>();
  return (
    <Page
      title={replacedId ? 'Replace a key' : 'Create a key'}
      back={{ href: '/dashboard/keys', text: 'Keys' }}
    >
      {made ? (
        <KeyShownOnce
          made={made}
          onDone={() => go(['/dashboard/keys', replacedId].filter(Boolean).join('/'))}
        />
      ) : (
        <Data<readonly ApiKey[]>
          of={loaded}
          show={(keys) => (
            <NewKeyForm replaces={keys.find(({ id }) => id === replacedId)} onMade={setMade} />
          )}
        />
      )}
    </Page>
  );
}

interface FormProps {
  readonly replaces: ApiKey | undefined;
  readonly onMade: (made: ApiKey) => void;
}

function NewKeyForm({ replaces, onMade }: FormProps) {
  const preset = presets.find(({ id }) => id === asked('preset'));
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
    onMade(
      await write(
        'POST',
        'team/keys',
        { ...given, replacesId: replaces?.id ?? null },
        { idempotencyKey },
      ),
    ),
  );
  const isReady = name.trim() !== '' && chosen.size > 0 && hasDate(expiry);
  return (
    <Form action={create} submit="Create key" isBlocked={!isReady}>
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
          isFirst
          about="The program that uses it, such as Website. One key for each program, so that one can be revoked alone."
        />
        <ExpiryFields value={expiry} onInput={setExpiry} />
        {!replaces && <ScopeChoice value={chosen} onInput={setChosen} />}
      </div>
      <p class="summary" role="status">
        <strong>{name.trim() ? `“${name.trim()}”` : 'The key'}</strong> may {scopesText(chosen)}.{' '}
        {expiresAt ? expiryText(expiresAt) : 'It never expires.'} The scopes can’t be changed later.
      </p>
    </Form>
  );
}
