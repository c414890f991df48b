/** A code that opens the car on a phone, signed in while this panel is open. */
import { useEffect, useState } from 'preact/hooks';
import { isLoopback } from '../../client/address.ts';
import { newIdempotencyKey } from '../call.ts';
import { type Link, readAt, write } from '../read.ts';
import { closeWork } from '../work.ts';
import { Button, CopyField, Failure } from './form.tsx';
import { OnlyHere } from './one-time-link.tsx';
import { QrCode } from './qr.tsx';

/** Browsers wake a hidden page once a minute. The link lasts for two. */
const keepMs = 20_000;

export function PhoneLink({ carId }: { readonly carId: string }) {
  const [shown, setShown] = useState<Link>();
  const [failure, setFailure] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setFailure(undefined);
    const idempotencyKey = newIdempotencyKey();
    const made = write<Link & { readonly id: string }>(
      'POST',
      'team/phone-links',
      {},
      {
        idempotencyKey,
      },
    );
    made.then(setShown, setFailure);
    const at = async () => `team/phone-links/${(await made).id}`;
    // It also ends with a computer that is gone.
    const timer = setInterval(async () => {
      await at()
        .then((path) => readAt(path))
        .then(() => setFailure(undefined), setFailure);
    }, keepMs);
    const end = () =>
      void at()
        .then((path) => write('DELETE', path))
        .catch(() => {});
    addEventListener('pagehide', end);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', end);
      end();
    };
  }, [attempt]);
  const address = failure ? undefined : shown?.link.replace('/link#', `/link?car=${carId}#`);
  return (
    <div class="stack">
      <Failure error={failure} />
      {address &&
        (isLoopback(new URL(address).hostname) ? (
          <OnlyHere />
        ) : (
          <>
            <p>Scan the code: the phone opens this car and can take photos. They show up here.</p>
            <QrCode text={address} title="Code that opens this car on a phone" />
          </>
        ))}
      {address && <CopyField label="Link, works once" value={address} />}
      <p class="quiet">Closing this panel signs the phone out.</p>
      <div class="actions">
        {failure && <Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>}
        <Button class="primary" onClick={closeWork}>
          Done
        </Button>
      </div>
    </div>
  );
}
