/** The photos that an event should have: names, each of which a file fulfils that is called so, such as `front.jpg`. */

/** `front, Rear` as `front` and `rear`. */
export const namesIn = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .normalize()
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  ),
];

/** Of an event type, as the server tells it; empty where it tells none. */
export const photosOf = ({ photos }: { readonly photos?: unknown }): readonly string[] =>
  Array.isArray(photos) ? namesIn(photos.join()) : [];

/** The names without a file. A number behind the name doesn't count, as in `front-2.jpg` and `Front (2).JPG`. */
export const missingPhotos = (
  names: readonly string[],
  files: readonly (string | null | undefined)[],
): string[] => names.filter((name) => !files.some((file) => isCalled(name, file ?? '')));

/** Without the ending, in any case: `front` of `FRONT.JPG`. */
export const stemOf = (file: string): string =>
  file
    .toLowerCase()
    .normalize()
    .replace(/\.\w+$/, '');

function isCalled(name: string, file: string): boolean {
  const stem = stemOf(file);
  return stem.startsWith(name) && /^[\s_-]*\(?\d*\)?$/.test(stem.slice(name.length));
}

/** What a photo of this name is sent as. */
export const fileFor = (name: string, file: string): string =>
  `${name}${/\.\w+$/.exec(file)?.[0].toLowerCase() ?? '.jpg'}`;
