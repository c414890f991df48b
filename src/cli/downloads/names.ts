/** Names of files and folders that are safe here, whatever the server says. */

interface Named {
  readonly id: string;
  readonly name: unknown;
}

/**
 * A name for each, no two alike, also where case does not count. The same record gets the same name every time.
 * `one` (`photo`) begins the name of what has none. Names that are `taken`, in lower case, are left to others.
 */
export function distinctNames(records: readonly Named[], one: string, taken: ReadonlySet<string> = new Set()): string[] {
  const safe = records.map(({ id, name }) => safeName(name, `${one}-${id}`));
  const counts = new Map<string, number>();
  for (const name of safe) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  return safe.map((name, index) => {
    if (counts.get(name.toLowerCase()) === 1 && !taken.has(name.toLowerCase())) return name;
    const dot = name.lastIndexOf('.');
    const stem = dot > 0 ? name.slice(0, dot) : name;
    // The end of an id tells records apart that were stored in the same minute; its beginning does not.
    return `${stem}-${records[index]?.id.slice(-8)}${dot > 0 ? name.slice(dot) : ''}`;
  });
}

/** A single name that no system takes for a path, a device or a hidden file. */
export function safeName(name: unknown, instead: string): string {
  const plain = (typeof name === 'string' ? name : '')
    .replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]/gu, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .slice(-180);
  return plain === '' || /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(plain) ? `${instead}${plain && `-${plain}`}` : plain;
}
