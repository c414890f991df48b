/** The placeholder of a value: `<file>`, `<folder|->`, `[photo]`. */

/** `<folder|->` of `--to <folder|->`. */
export const placeholderOf = (form: string): string => form.replace(/^[^<[]*/, '');

/**
 * Whether the value is a path on this machine. A record may be called photo or folder too: its
 * names are suggested.
 */
export const isPath = (placeholder: string): boolean =>
  /\b(files?|paths?|folders?|mirrors?|photos?)\b/i.test(placeholder);
