/** Safe file and folder names on every system, from names that a server sends. */
import { extname, join, parse } from 'node:path';

interface Named {
  readonly id: unknown;
  readonly name: unknown;
  /** The names of its folders, outermost first. */
  readonly folders?: readonly unknown[];
}

/** File systems allow 255 bytes. The rest is for suffixes: of a duplicate name, of an unfinished file. */
const maxBytes = 200;

/** A device on Windows, with any extension. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/i;

/** A name without path, device, leading dot or dash, control or bidirectional characters. `fallback` replaces an empty result. */
export function safeName(name: unknown, fallback: string): string {
  const safe = typeof name === 'string' ? clean(name) : '';
  if (safe === '') return clean(fallback) || 'file';
  return device.test(safe) ? shorten(`${clean(fallback) || 'file'}-${safe}`) : safe;
}

function clean(name: string): string {
  const single = name.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, '_');
  return shorten(single.replace(/^[.\s-]+/, '')).replace(/[.\s]+$/, '');
}

/** Cuts the stem and keeps the extension. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const extension = /^\.\w{1,16}$/.test(extname(name)) ? extname(name) : '';
  const room = maxBytes - extension.length;
  const stem = Buffer.from(name.slice(0, name.length - extension.length)).subarray(0, room);
  // A character may be cut in two.
  return stem.toString().replace(/\uFFFD+$/, '') + extension;
}

/** Equal for names that some file system treats as the same: by case, normal form or invisible characters. */
export const fileKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();

/**
 * A path for each record, distinct on every system and the same in each run with the same records.
 * `kind` (`photo`) starts the name of a record without one.
 */
export function distinctNames(records: readonly Named[], kind: string): string[] {
  const paths = records.map(({ id, name, folders = [] }) =>
    join(...folders.map((folder) => safeName(folder, 'folder')), safeName(name, `${kind}-${id}`)),
  );
  const keys = paths.map(fileKey);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isUnique = (key: string) => counts.get(key) === 1;
  const used = new Set(keys.filter(isUnique));
  return paths.map((path, index) => {
    if (isUnique(keys[index] as string)) return path;
    const { dir, name, ext } = parse(path);
    // Ids of the same minute differ at their end.
    const stem = join(dir, [name, endOf(records[index]?.id)].filter(Boolean).join('-'));
    let unique = stem + ext;
    for (let number = 2; used.has(fileKey(unique)); number += 1) unique = `${stem}-${number}${ext}`;
    used.add(fileKey(unique));
    return unique;
  });
}

const endOf = (id: unknown): string =>
  String(id)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(-8);
