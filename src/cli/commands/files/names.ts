/** Names of files and folders that are safe on every system, whatever the server says. */
import { extname, parse } from 'node:path';

interface Named {
  readonly id: unknown;
  readonly name: unknown;
}

/** File systems take 255 bytes. The rest is for what tells two names apart, and for the ending of a file that is being written. */
const longest = 200;

/** Read as a device on Windows, whatever the extension is. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|$)/i;

/**
 * A single name: no path, no device, no hidden file, no flag for the next command, nothing that turns the reading direction.
 * `fallback` stands in for a name of which nothing is left.
 */
export function safeName(name: unknown, fallback: string): string {
  const plain = typeof name === 'string' ? clean(name) : '';
  if (plain === '') return clean(fallback) || 'file';
  return device.test(plain) ? shorten(`${clean(fallback) || 'file'}-${plain}`) : plain;
}

function clean(name: string): string {
  const single = name.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, '_');
  return shorten(single.replace(/^[.\s-]+/, '')).replace(/[.\s]+$/, '');
}

/** Cuts the stem, so that the extension still tells what the file is. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= longest) return name;
  const extension = /^\.\w{1,16}$/.test(extname(name)) ? extname(name) : '';
  let stem = '';
  let room = longest - extension.length;
  for (const character of name.slice(0, name.length - extension.length)) {
    room -= Buffer.byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + extension;
}

/** Equal for names that some file system takes for the same: in case, in the form of accents, or in characters that nobody sees. */
export const sameFile = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toUpperCase()
    .toLowerCase();

/**
 * A name for each record, all of them different files on every system. A record gets the same name in each run with the same records.
 * `kind` (`photo`) begins the name of a record without one. `taken` holds names that are in use, as `sameFile` gives them.
 */
export function distinctNames(records: readonly Named[], kind: string, taken: ReadonlySet<string> = new Set()): string[] {
  const names = records.map(({ id, name }) => safeName(name, `${kind}-${id}`));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(sameFile(name), (counts.get(sameFile(name)) ?? 0) + 1);
  const isAlone = (name: string) => counts.get(sameFile(name)) === 1 && !taken.has(sameFile(name));
  const used = new Set([...taken, ...names.filter(isAlone).map(sameFile)]);
  return names.map((name, index) => {
    if (isAlone(name)) return name;
    const { name: stem, ext } = parse(name);
    // Ids from the same minute differ at their end.
    const marked = [stem, endOf(records[index]?.id)].filter(Boolean).join('-');
    let found = marked + ext;
    for (let number = 2; used.has(sameFile(found)); number += 1) found = `${marked}-${number}${ext}`;
    used.add(sameFile(found));
    return found;
  });
}

const endOf = (id: unknown): string =>
  String(id)
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(-8);
