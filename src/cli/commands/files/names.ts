/** Safe file and folder names on every system, from names that a server sends. */
import { extname, parse } from 'node:path';

interface Named {
  readonly id: unknown;
  readonly name: unknown;
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
  let stem = '';
  let room = maxBytes - extension.length;
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + extension;
}

/** Equal for names that some file system treats as the same: by case, normal form or invisible characters. */
export const fileKey = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();

/**
 * A name for each record, distinct on every system and the same in each run with the same records.
 * `kind` (`photo`) starts the name of a record without one. `taken` has the keys of names in use.
 */
export function distinctNames(
  records: readonly Named[],
  kind: string,
  taken: ReadonlySet<string> = new Set(),
): string[] {
  const names = records.map(({ id, name }) => safeName(name, `${kind}-${id}`));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(fileKey(name), (counts.get(fileKey(name)) ?? 0) + 1);
  const isUnique = (name: string) => counts.get(fileKey(name)) === 1 && !taken.has(fileKey(name));
  const used = new Set([...taken, ...names.filter(isUnique).map(fileKey)]);
  return names.map((name, index) => {
    if (isUnique(name)) return name;
    const { name: stem, ext } = parse(name);
    // Ids of the same minute differ at their end.
    const stemWithId = [stem, endOf(records[index]?.id)].filter(Boolean).join('-');
    let unique = stemWithId + ext;
    for (let number = 2; used.has(fileKey(unique)); number += 1)
      unique = `${stemWithId}-${number}${ext}`;
    used.add(fileKey(unique));
    return unique;
  });
}

const endOf = (id: unknown): string =>
  String(id)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(-8);
