/** Asks before something ends for good. */
import type { VNode } from 'preact';
import { type Child, h } from '../h.ts';
import { team } from '../team.ts';
import { useAction } from './action.ts';
import { Cancel, closeDialog, Dialog } from './dialog.ts';
import { Form } from './form.ts';

interface Props {
  readonly title: string;
  readonly list: 'admins' | 'screens' | 'sessions';
  readonly id: string;
  readonly submit: string;
  readonly onDone: () => void;
  readonly children?: Child;
}

export function RemoveDialog({ title, list, id, submit, onDone, children }: Props): VNode {
  const remove = useAction(async () => {
    await team.remove(list, id);
    closeDialog();
    onDone();
  });
  return h(
    Dialog,
    { title, onClose: closeDialog },
    h('p', null, children),
    h(Form, { action: remove, submit, isDanger: true, beside: h(Cancel, {}) }),
  );
}

/** The id that the address wants to remove. */
export const removeHref = (id: string): string => `?do=remove&id=${id}`;
