/** Creates a key, and shows it once. With `?for=ID` it takes the place of another one. */
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Scope } from '../../contract/scopes.ts';
import { newIdempotencyKey } from '../call.ts';
import { h } from '../h.ts';
import { isOver } from '../key-facts.ts';
import { useAction } from '../parts/action.ts';
import {
  type Expiry,
  ExpiryFields,
  expiryText,
  expiryTime,
  hasDate,
  yearFromNow,
} from '../parts/expiry.ts';
import { Field, Form, issueOf } from '../parts/form.ts';
import { KeyShownOnce } from '../parts/key-shown-once.ts';
import { Data, Page } from '../parts/page.ts';
import { ScopeGrid } from '../parts/scope-grid.ts';
import { useLoaded } from '../read.ts';
import { go, query } from '../router.ts';
import { presets, scopesText } from '../scope-presets.ts';
import { type ApiKey, type NewKey, team } from '../team.ts';

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
  return h(
    Page,
    {
      title: replacedId ? 'Replace a key' : 'Create a key',
      back: { href: '/dashboard/keys', text: 'Keys' },
    },
    made
      ? h(KeyShownOnce, { made, onDone: done })
      : h(Data<{ key: ApiKey | undefined }>, {
          of: replaced,
          show: ({ key }) => h(NewKeyForm, { replaces: key, onMade: setMade }),
        }),
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
  return h(
    Form,
    { action: create, submit: 'Create key', fields: Object.keys(given), isBlocked: !isReady },
    replaces &&
      h(
        'p',
        { class: 'notice' },
        isOver(replaces)
          ? `The new key gets the scopes of “${replaces.name}”, which no longer works. Give it to the program.`
          : `The new key gets the scopes of “${replaces.name}”. Give it to the program; then watch the old one fall silent and revoke it. Until then both work.`,
      ),
    h(
      'div',
      { class: 'card' },
      h(Field, {
        ...{
          label: 'Name',
          name: 'name',
          value: name,
          onInput: setName,
          issue: issueOf(create, 'name'),
          isFirst: true,
        },
        about:
          'The program that uses it, such as Website. One key for each program, so that one can be revoked alone.',
      }),
      h(ExpiryFields, { value: expiry, onInput: setExpiry, issue: issueOf(create, 'expiresAt') }),
      !replaces &&
        h(ScopeGrid, { value: chosen, onInput: setChosen, issue: issueOf(create, 'scopes') }),
      replaces && h('p', null, h('strong', null, 'May '), scopesText(chosen), '.'),
    ),
    h(
      'p',
      { class: 'summary', role: 'status' },
      h('strong', null, name.trim() ? `“${name.trim()}”` : 'The key'),
      ` may ${scopesText(chosen)}. `,
      expiresAt ? expiryText(expiresAt) : 'It never expires.',
      ' The scopes can’t be changed later.',
    ),
  );
}
