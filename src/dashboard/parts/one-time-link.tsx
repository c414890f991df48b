/** A link that works once, to hand over. */
import type { ComponentChildren } from 'preact';
import { isLoopback } from '../../client/address.ts';
import type { Link } from '../read.ts';
import { relativeText } from '../times.ts';
import { Button, CopyField } from './form.tsx';
import { Card } from './page.tsx';
import { QrCode } from './qr.tsx';

interface Props extends Link {
  readonly title: string;
  readonly onDone: () => void;
  /** Shows the link as a code to scan as well, with this title. */
  readonly codeTitle?: string;
  readonly children?: ComponentChildren;
}

export function OneTimeLink({ title, link, linkEndsAt, onDone, codeTitle, children }: Props) {
  return (
    <Card title={title} isAnswer>
      {children}
      {isLoopback(new URL(link).hostname) ? (
        <OnlyHere />
      ) : (
        codeTitle && <QrCode text={link} title={codeTitle} />
      )}
      <CopyField label={`Link, works once, ends ${relativeText(linkEndsAt)}`} value={link} />
      <div class="actions">
        <Button onClick={onDone}>Done</Button>
      </div>
    </Card>
  );
}

/** A link that another device would look for on itself. */
export const OnlyHere = () => (
  <p class="notice warn">
    ⚠ This link opens only on the computer that runs the service. For another device, start the
    service with <code>--public-url https://…</code>, then make a new link.
  </p>
);
