/** Scopes as a table of resources, with presets above. */
import type { VNode } from 'preact';
import type { Scope } from '../../contract/scopes.ts';
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
    return (
      <td>
        <label class="tick">
          <input type="checkbox" checked={value.has(scope)} onChange={() => toggle(scope)} />
          <span class="hidden">
            {verb} {resourceTitle(resource)}
          </span>
        </label>
      </td>
    );
  };
  return (
    <fieldset>
      <legend>What it may do</legend>
      <div class="presets">
        {presets.map(({ id, title, about, scopes }) => (
          <button
            key={id}
            class="preset"
            type="button"
            aria-pressed={isSame(value, scopes)}
            onClick={() => onInput(new Set(scopes))}
          >
            <strong>{title}</strong>
            <span>{about}</span>
          </button>
        ))}
      </div>
      <table class="grid">
        <caption class="hidden">Scopes</caption>
        <thead>
          <tr>
            <th scope="col">Records</th>
            <th scope="col">Read</th>
            <th scope="col">Write</th>
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <tr key={resource}>
              <th scope="row">{resourceTitle(resource)}</th>
              {box('read', resource)}
              {box('write', resource)}
            </tr>
          ))}
        </tbody>
      </table>
      <div role="status">
        {missing.length > 0 && (
          <p class="notice warn">
            Write access does not include read access. Creating and changing records needs both in
            most places: {missing.map(resourceTitle).join(', ')}.{' '}
            <button
              class="link"
              type="button"
              onClick={() =>
                onInput(
                  new Set([...value, ...missing.map((resource) => `read:${resource}` as Scope)]),
                )
              }
            >
              Allow reading as well
            </button>
          </p>
        )}
      </div>
      {issue && <p class="issue">Scopes: {issue}.</p>}
    </fieldset>
  );
}
