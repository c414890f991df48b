/** What people read on a page, for a text to compare: headings, words, links and where they lead, fields and their choices. */
import type { Locator } from 'playwright-core';

interface Item {
  readonly depth: number;
  readonly text: string;
}

/** A line of the accessible tree, without the quotes that YAML needs and the names of roles that only hold a text. */
function itemOf(line: string): Item {
  const text = line
    .trim()
    .replace(/^- /, '')
    .replace(/^'(.*)'(:?)$/, (_, inner: string, end: string) => inner.replaceAll("''", "'") + end)
    .replace(/^(text|paragraph|listitem|term|definition|strong|code|caption)(: |:?$)/, '')
    .replace(/^"(.*)"$/, '$1')
    .replace(/:$/, '');
  return { depth: line.search(/\S/), text };
}

const isFrame = /^(main|list|rowgroup|alert|status|group|search|navigation "\w+")?$/;
const nameOf = (text: string) => /^(?!text)\w+ "(.*?)"/.exec(text)?.[1];
/** Elements whose name is their whole text. Links in rows are listed again. */
const isWhole = /^(link|button|heading|radio|checkbox|row) /;
const isTold = /^(link|button|img|checkbox .*\[checked\])/;

/** What a link shows to those who see it, where its name is another one. */
const isOtherThanName = (whole: Item | undefined, text: string): boolean =>
  whole !== undefined &&
  /^link /.test(whole.text) &&
  !/^\w+ "/.test(text) &&
  !isFrame.test(text) &&
  nameOf(whole.text)?.includes(text) === false;

/** Of a part of a page, one thing a line. */
export async function textOf(part: Locator): Promise<string> {
  const lines: Item[] = [];
  let whole: Item | undefined;
  for (const item of (await part.ariaSnapshot()).split('\n').map(itemOf)) {
    const { depth, text } = item;
    const last = lines.at(-1);
    const add = (more: string) =>
      last && lines.splice(-1, 1, { depth: last.depth, text: last.text + more });
    if (whole && depth <= whole.depth) whole = undefined;
    const [, option, isChosen] = /^option "(.*?)"( \[selected\])?$/.exec(text) ?? [];
    if (text.startsWith('/url: ')) add(text.replace('/url:', ' →'));
    else if (option !== undefined) add(isChosen ? ` [${option}]` : ` ${option}`);
    else if (isOtherThanName(whole, text)) add(`, shown as ${text}`);
    else if (!isFrame.test(text) && (!whole || (/^row /.test(whole.text) && isTold.test(text)))) {
      const [name, before] = [nameOf(text), last && nameOf(last.text)];
      // The label before a field, the region around its heading, the caption of a table.
      if (name !== undefined && (last?.text === name || before === name)) lines.pop();
      if (text !== before) lines.push(item);
    }
    if (!whole && isWhole.test(text)) whole = item;
  }
  return lines.map(({ text }) => text).join('\n');
}
