/** What the contract says of fields, in the words of a command line: flags for fields, `empty` for null, nothing of answers. */
import type { FlagField } from './fields.ts';

type Named = Pick<FlagField, 'name' | 'flag'>;

/** For the help of a flag, or of a command, that has these flags beside it. */
export function describeForHelp(about: string, fields: readonly Named[]): string {
  const flags = new Map(fields.map(({ name, flag }) => [name, flag]));
  return (
    about
      .replace(/\.$/, '')
      .replace(/; in an? answer [^;.]*/g, '')
      .replace(/\b(\w+)=true\b/g, (text, name) => flags.get(name) ?? text)
      // Only words that nobody takes for English: `status` is one.
      .replace(/\b[a-z]+[A-Z]\w*\b/g, (name) => flags.get(name) ?? name)
      .replace(/\bnull\b/g, 'empty')
  );
}

const undone: Readonly<Record<string, string>> = {
  isPrimary: 'no longer the one to ask first',
  emailOptOut: 'may be sent marketing by e-mail',
  smsOptOut: 'may be sent marketing by SMS',
};

/** What a switch says when it is given, and when it is given as `--no-…`. */
export function yesNoDescriptions(about: string, { name, flag }: Named): readonly [yes: string, no: string] {
  const whether = /^whether (.+?) is (.+)$/i.exec(about);
  if (whether) return [`${whether[1]} is ${whether[2]}`, `${whether[1]} is not ${whether[2]}`];
  // A filter tells of both.
  const [, these, those] = /^(.+), or (.+)$/.exec(about) ?? [];
  if (these && those) return [these, those];
  return [about, undone[name] ?? (name === 'isActive' ? 'the others' : `the opposite of ${flag}`)];
}
