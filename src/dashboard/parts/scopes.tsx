/** What a key may do, by resource: as it is, or to be chosen with presets above. */
import type { Scope } from '../../contract/scopes.ts';
import { presets, resources, resourceTitle, writeOnly } from '../scope-presets.ts';
import { useIssue } from './form.tsx';

interface TableProps {
  readonly value: ReadonlySet<Scope>;
  /** Undefined where they can't change. */
  readonly onToggle?: (scope: Scope) => void;
}

export function ScopeTable({ value, onToggle }: TableProps) {
  const cell = (verb: 'read' | 'write', resource: string) => {
    const scope = `${verb}:${resource}` as Scope;
    const has = value.has(scope);
    return onToggle ? (
      <td>
        <label class="tick">
          <input type="checkbox" checked={has} onChange={() => onToggle(scope)} />
          <span class="hidden">
            {verb} {resourceTitle(resource)}
          </span>
        </label>
      </td>
    ) : (
      <td class={has ? 'yes' : 'quiet'}>{has ? `✓ ${verb}` : '–'}</td>
    );
  };
  return (
    <table class="grid">
      <caption class="hidden">Scopes</caption>
      <thead>
        <tr>
          {['Records', 'Read', 'Write'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {resources.map((resource) => (
          <tr key={resource}>
            <th scope="row">{resourceTitle(resource)}</th>
            {cell('read', resource)}
            {cell('write', resource)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface ChoiceProps {
  readonly value: ReadonlySet<Scope>;
  readonly onInput: (value: ReadonlySet<Scope>) => void;
}

const isSame = (a: ReadonlySet<Scope>, b: readonly Scope[]) =>
  a.size === b.length && b.every((scope) => a.has(scope));

export function ScopeChoice({ value, onInput }: ChoiceProps) {
  const issue = useIssue('scopes');
  const missing = writeOnly(value);
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
      <ScopeTable
        value={value}
        onToggle={(scope) => {
          const next = new Set(value);
          if (!next.delete(scope)) next.add(scope);
          onInput(next);
        }}
      />
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
