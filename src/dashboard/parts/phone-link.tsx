/** A code that opens the car on a phone, signed in until this panel is closed. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isLoopback } from '../../client/address.ts';
import { newIdempotencyKey } from '../call.ts';
import { type Link, team } from '../team.ts';
import { closeWork } from '../work.ts';
import { CopyField, Failure } from './form.tsx';
import { OnlyHere } from './one-time-link.tsx';
import { QrCode } from './qr.tsx';

/** Browsers wake a hidden page once a minute. The link lasts for two. */
const keepMs = 20_000;

export function PhoneLink({ carId }: { readonly carId: string }): VNode {
  const [made, setMade] = useState<Link>();
  const [failure, setFailure] = useState<Error>();
  useEffect(() => {
    const asked = team.add('phone-links', {}, newIdempotencyKey());
    asked.then(setMade, setFailure);
    // The phone is signed in as long as this panel asks for it: it also ends with a computer that is gone.
    const keep = () => asked.then(({ id }) => team.keepPhone(id)).then(() => setFailure(undefined), setFailure);
    const timer = setInterval(keep, keepMs);
    const end = () => void asked.then(({ id }) => team.remove('phone-links', id)).catch(() => {});
    addEventListener('pagehide', end);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', end);
      end();
    };
  }, []);
  const address = made?.link.replace('/link#', `/link?car=${carId}#`);
  return (
    <div class="stack">
      <p>Scan the code: the phone opens this car and can take photos. They show up here.</p>
      <Failure error={failure} />
      {address &&
        (isLoopback(new URL(address).hostname) ? (
          <OnlyHere />
        ) : (
          <QrCode text={address} title="Code that opens this car on a phone" />
        ))}
      {address && <CopyField label="Or open this link, which works once" value={address} />}
      <p class="quiet">
        Closing this panel signs the phone out.
      </p>
      <div class="actions">
        <button class="button primary" type="button" onClick={closeWork}>
          Done
        </button>
      </div>
    </div>
  );
}
