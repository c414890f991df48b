/** A question over the page. It is part of the address, so Back closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { go, withQuery } from '../router.ts';
import { Address } from './facts.tsx';
import { Button } from './form.tsx';

interface DialogProps {
  readonly title: string;
  /** Undefined: it can't be closed. */
  readonly onClose: (() => void) | undefined;
  readonly children?: ComponentChildren;
  readonly class?: string;
}

export function Dialog({ title, onClose, children, class: name = '' }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  // The page may be hidden below the dialog, which takes the focus from it.
  const [before] = useState(() => document.activeElement);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // The question stays in sight, also where the buttons don't fit below it.
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true });
    return () => {
      isOver.current = true;
      dialog?.close();
      // When the page is shown again.
      if (before instanceof HTMLElement) queueMicrotask(() => before.focus());
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={name}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      // A browser closes it on a second Escape, whatever the first was told.
      onClose={() => {
        if (isOver.current) return;
        if (onClose) onClose();
        else element.current?.showModal();
      }}
    >
      <h2 id={id}>
        <Address text={title} />
      </h2>
      {children}
    </dialog>
  );
}

/** Closes a dialog that the address asked for. */
export const closeDialog = (): void => go(withQuery({ do: undefined }), { replace: true });

export const Cancel = ({ children = 'Cancel' }: { readonly children?: ComponentChildren }) => (
  // Enter on a new question changes nothing.
  <Button data-first="" onClick={closeDialog}>
    {children}
  </Button>
);
