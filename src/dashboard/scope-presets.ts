/** Scopes as people choose them. */
import { type Scope, scopes } from '../contract/scopes.ts';
import { numberText } from './times.ts';

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly scopes: readonly Scope[];
}

const reads = scopes.filter((scope) => scope.startsWith('read:'));

export const presets: readonly Preset[] = [
  {
    id: 'drop-off',
    title: 'Drop-off',
    about: 'The counter with cs: cars, photos, places and appointments',
    scopes: [
      ...(['read:cars', 'write:cars', 'read:customers', 'read:locations'] as const),
      ...(['read:parking', 'write:parking', 'read:appointments', 'write:appointments'] as const),
    ],
  },
  {
    id: 'website',
    title: 'Website',
    about: 'Forms and requests for appointments of a public site',
    scopes: [
      'read:forms',
      'write:forms',
      'read:locations',
      'read:appointments',
      'write:appointments',
    ],
  },
  {
    id: 'read',
    title: 'Read everything',
    about: 'Reports and backups: every list, no writes',
    scopes: reads,
  },
];

/** `cars`, `social-events`. */
export const resources: readonly string[] = reads.map((scope) => scope.slice('read:'.length));

/** `Social events`. */
export const resourceTitle = (resource: string): string =>
  (resource.charAt(0).toUpperCase() + resource.slice(1)).replaceAll('-', ' ');

/** Resources that may be written and not read. Creating needs both in most of them. */
export const writeOnly = (chosen: ReadonlySet<Scope>): string[] =>
  resources.filter(
    (resource) =>
      chosen.has(`write:${resource}` as Scope) && !chosen.has(`read:${resource}` as Scope),
  );

const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** `read and write cars; read customers and locations`. */
export function scopesText(chosen: ReadonlySet<Scope>): string {
  if (chosen.size === 0) return 'do nothing';
  if (chosen.size === scopes.length)
    return `read and write everything (all ${numberText(scopes.length)} scopes)`;
  const kinds = Map.groupBy(resources, (resource) => {
    const [read, write] = [
      chosen.has(`read:${resource}` as Scope),
      chosen.has(`write:${resource}` as Scope),
    ];
    return read && write ? 'read and write' : read ? 'read' : write ? 'write' : 'none';
  });
  const isRead = reads.every((scope) => chosen.has(scope));
  return (['read and write', 'read', 'write'] as const)
    .flatMap((kind) => {
      const words = kinds.get(kind);
      if (!words) return [];
      if (kind === 'read' && isRead && words.length === resources.length)
        return ['read everything'];
      return [`${kind} ${listed(words.map((word) => word.replaceAll('-', ' ')))}`];
    })
    .join('; ');
}
