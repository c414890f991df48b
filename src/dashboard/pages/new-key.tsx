/** Creates a key, and shows it once. With `?for=ID` it takes the place of another one. */
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
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
import { Button, CopyField, Field, Form, useAction } from '../parts/form.tsx';
import { Card, Data, Page } from '../parts/page.tsx';
import { ScopeChoice } from '../parts/scopes.tsx';
import { type ApiKey, readAll, write } from '../read.ts';
import { askBeforeLeaving, asked, go } from '../router.ts';
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
        <Data
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

interface OnceProps {
  readonly made: ApiKey;
  readonly onDone: () => void;
}

/** Stays on the page until somebody says that the key is stored. */
function KeyShownOnce({ made, onDone }: OnceProps) {
  const [isStored, setStored] = useState(false);
  // Before the next key press, which may be the one that leaves.
  useLayoutEffect(() => {
    if (made.secret && !isStored)
      return askBeforeLeaving("The key won't be shown again. Leave without storing it?");
    return undefined;
  }, [isStored]);
  if (!made.secret)
    return (
      <Card title="Key created, and shown before" isAnswer>
        <p>
          This request was answered once already, and the key is shown only then. If you have not
          stored it, revoke it and create another one.
        </p>
        <p>
          <a class="button" href={`/dashboard/keys/${made.id}`}>
            Open {made.name}
          </a>
        </p>
      </Card>
    );
  return (
    <Card title="Key created. Copy it now." isAnswer>
      <p>
        It can't be shown again. Whoever has it can use it: keep it in a password manager or a
        secret store, not in a chat or an e-mail.
      </p>
      <CopyField label={`Key “${made.name}”`} value={made.secret} />
      <p class="quiet">
        Try it: <code>cs auth login --base-url {location.origin}</code> asks for the key.
      </p>
      <label class="choice">
        <input
          type="checkbox"
          checked={isStored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        I have stored it
      </label>
      <div class="actions">
        <Button class="primary" disabled={!isStored} onClick={onDone}>
          Done
        </Button>
      </div>
    </Card>
  );
}
