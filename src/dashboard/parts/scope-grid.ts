/** Scopes as a table of resources, with presets above. */
import type { VNode } from 'preact';
import type { Scope } from '../../contract/scopes.ts';
import { h } from '../h.ts';
import { presets, resources, resourceTitle, writeOnly } from '../scope-presets.ts';

interface Props {
  readonly value: ReadonlySet<Scope>;
  readonly onInput: (value: ReadonlySet<Scope>) => void;
  readonly issue: string | undefined;
}

const isSame = (a: ReadonlySet<Scope>, b: readonly Scope[]) =>
  a.size === b.length && b.every((scope) => a.has(scope));

export function ScopeGrid({ value, onInput, issue }: Props): VNode {
  const toggle = (scope: Scope) => {
    const next = new Set(value);
    if (!next.delete(scope)) next.add(scope);
    onInput(next);
  };
  const missing = writeOnly(value);
  const box = (verb: 'read' | 'write', resource: string) => {
    const scope = `${verb}:${resource}` as Scope;
    return h(
      'td',
      null,
      h(
        'label',
        { class: 'tick' },
        h('input', { type: 'checkbox', checked: value.has(scope), onChange: () => toggle(scope) }),
        h('span', { class: 'hidden' }, `${verb} ${resourceTitle(resource)}`),
      ),
    );
  };
  return h(
    'fieldset',
    null,
    h('legend', null, 'What it may do'),
    h(
      'div',
      { class: 'presets' },
      ...presets.map(({ id, title, about, scopes }) =>
        h(
          'button',
          {
            class: 'preset',
            type: 'button',
            'aria-pressed': isSame(value, scopes),
            onClick: () => onInput(new Set(scopes)),
            key: id,
          },
          h('strong', null, title),
          h('span', null, about),
        ),
      ),
    ),
    h(
      'table',
      { class: 'grid' },
      h('caption', { class: 'hidden' }, 'Scopes'),
      h(
        'thead',
        null,
        h(
          'tr',
          null,
          h('th', { scope: 'col' }, 'Records'),
          h('th', { scope: 'col' }, 'Read'),
          h('th', { scope: 'col' }, 'Write'),
        ),
      ),
      h(
        'tbody',
        null,
        ...resources.map((resource) =>
          h(
            'tr',
            { key: resource },
            h('th', { scope: 'row' }, resourceTitle(resource)),
            box('read', resource),
            box('write', resource),
          ),
        ),
      ),
    ),
    h(
      'div',
      { role: 'status' },
      missing.length > 0 &&
        h(
          'p',
          { class: 'notice warn' },
          `Write access does not include read access. Creating and changing records needs both in most places: ${missing.map(resourceTitle).join(', ')}. `,
          h(
            'button',
            {
              class: 'link',
              type: 'button',
              onClick: () =>
                onInput(
                  new Set([...value, ...missing.map((resource) => `read:${resource}` as Scope)]),
                ),
            },
            'Allow reading as well',
          ),
        ),
    ),
    issue && h('p', { class: 'issue' }, `Scopes: ${issue}.`),
  );
}
