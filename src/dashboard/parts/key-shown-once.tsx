/** A new key. It stays on the page until somebody says that it is stored. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApiKey } from '../read.ts';
import { askBeforeLeaving } from '../router.ts';
import { Button, CopyField } from './form.tsx';

interface Props {
  readonly made: ApiKey;
  readonly onDone: () => void;
}

export function KeyShownOnce({ made, onDone }: Props) {
  const [isStored, setStored] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  // Before the next key press, which may be the one that leaves.
  useLayoutEffect(() => {
    if (made.secret && !isStored)
      return askBeforeLeaving("The key won't be shown again. Leave without storing it?");
    return undefined;
  }, [isStored]);
  if (!made.secret)
    return (
      <section class="card once">
        <h2 ref={heading} tabIndex={-1}>
          Key created, and shown before
        </h2>
        <p>
          This request was answered once already, and the key is shown only then. If you have not
          stored it, revoke it and create another one.
        </p>
        <p>
          <a class="button" href={`/dashboard/keys/${made.id}`}>
            Open {made.name}
          </a>
        </p>
      </section>
    );
  return (
    <section class="card once">
      <h2 ref={heading} tabIndex={-1}>
        Key created. Copy it now.
      </h2>
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
    </section>
  );
}
