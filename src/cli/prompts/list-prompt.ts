/**
 * The prompt for one option of a list: of a few that are known, or of those that a search finds.
 */
import { stripVTControlCharacters } from 'node:util';
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core';
import type { Entered } from '../context.ts';
import { sanitize } from '../terminal/text.ts';
import { type Line, replaceLine } from './line-prompt.ts';
import { linesInWindow } from './list-window.ts';
import { type Item, isOption, type Option } from './options.ts';
import type { promptTheme } from './run.ts';
import { isSameAnswer } from './same-answer.ts';

interface ListConfig {
  readonly message: string;
  readonly theme: ReturnType<typeof promptTheme>;
  /** Rows of a list that doesn't fit. */
  readonly height: number;
  /** Of the terminal. */
  readonly columns: number;
  readonly start: Entered;
  readonly onMove: (position: Entered) => void;
  readonly onSuspend: () => void;
  /** What a search without results says. */
  readonly noMatch?: (typed: string) => string;
  /** All options, or how a search finds some. */
  readonly items:
    | readonly Item[]
    | ((typed: string, signal: AbortSignal) => Promise<readonly Item[]>);
}

/** The result of a search, with the cursor in it. */
interface Listed {
  /** What was searched for; undefined before the first result. */
  readonly typed: string | undefined;
  readonly items: readonly Item[];
  readonly active: number;
  readonly error?: string;
}

const hideCursor = '\u001b[?25l';

export const listPrompt = createPrompt<Option<unknown>, ListConfig>((config, done) => {
  const { items: source, theme, start, height, columns, onMove } = config;
  const isSearch = typeof source === 'function';
  const [typed, setTyped] = useState(start.typed);
  const [listed, setListed] = useState<Listed>(() =>
    isSearch
      ? { typed: undefined, items: [], active: -1 }
      : { typed, items: source, active: startIn(source, start) },
  );
  /** Whether Enter was pressed during a search, which scanners and fast typists do. */
  const enteredEarly = useRef(false);
  const { items, active, error } = listed;
  const isLoading = isSearch && listed.typed !== typed;
  /** Nothing was typed since the list was drawn again: the cursor stays where it was. */
  const isStart = listed.typed === undefined && typed === start.typed;
  const option = items[active];
  const prefix = usePrefix({ status: isLoading ? 'loading' : 'idle', theme: makeTheme(theme) });

  useEffect((line) => {
    line.on('SIGTSTP', config.onSuspend);
    if (isSearch && start.typed !== '') line.write(start.typed);
  }, []);

  useEffect(() => {
    if (!isSearch) return;
    const searching = new AbortController();
    const { signal } = searching;
    source(typed.trim(), signal).then(
      (found) => {
        if (signal.aborted) return;
        const at = startIn(found, isStart ? start : undefined);
        const first = found[at];
        if (enteredEarly.current && isOption(first) && !first.deliberate) return done(first);
        enteredEarly.current = false;
        setListed({ typed, items: found, active: at });
      },
      (failure: unknown) => {
        if (!signal.aborted)
          setListed({
            typed,
            items: [],
            active: -1,
            error: failure instanceof Error ? failure.message : String(failure),
          });
      },
    );
    return () => searching.abort();
  }, [typed]);

  useEffect(() => {
    const found = isOption(option) ? { value: option.value } : undefined;
    onMove({
      typed,
      chosen: !isLoading ? found : isStart ? start.chosen : undefined,
    });
  }, [typed, listed]);

  useKeypress((key, line) => {
    if (isEnterKey(key)) {
      if (!isLoading && isOption(option)) return done(option);
      enteredEarly.current = isLoading;
      // Enter has emptied the line.
      return line.write(typed);
    }
    enteredEarly.current = false;
    if (isUpKey(key) || isDownKey(key) || isTabKey(key)) {
      // An arrow shows an earlier line, and Tab is a character.
      replaceLine(line, isSearch ? typed : '');
      if (!isLoading && !isTabKey(key))
        setListed({ ...listed, active: nextOption(items, active, isUpKey(key) ? -1 : 1) });
    } else if (isSearch) setTyped(line.line);
    else setListed({ ...listed, active: jump(line, items) ?? active });
  });

  const shown = linesInWindow({
    items,
    active: Math.max(0, active),
    height,
    columns,
    render(item, index) {
      if (!isOption(item)) return ` ${theme.style.disabled(sanitize(item.heading))}`.trimEnd();
      return index === active
        ? theme.style.highlight(`${theme.icon.cursor} ${item.name}`)
        : `  ${item.name}`;
    },
  }).join('\n');
  const isEmpty = isSearch && !isLoading && items.length === 0 && typed !== '';
  const failure = error ?? (isEmpty ? config.noMatch?.(typed.trim()) : undefined);
  const about = isOption(option) && option.about ? theme.style.description(option.about) : '';
  const below = [
    failure === undefined ? shown : theme.style.error(failure),
    ' ',
    about,
    theme.style.keysHelpTip(),
  ]
    .filter(Boolean)
    .join('\n')
    .trimEnd();
  const message = theme.style.message(config.message, 'idle');
  if (!isSearch) return `${prefix} ${message}\n${below}${hideCursor}`;
  return [`${prefix} ${message} ${theme.style.searchTerm(typed)}`.trimEnd(), below];
});

function startIn(items: readonly Item[], start: Entered | undefined): number {
  const chosen = start?.chosen;
  const at = chosen
    ? items.findIndex((item) => isOption(item) && isSameAnswer(item.value, chosen.value))
    : -1;
  return at === -1 ? items.findIndex(isOption) : at;
}

/** The same one at either end. */
function nextOption(items: readonly Item[], from: number, step: 1 | -1): number {
  for (let at = from + step; at >= 0 && at < items.length; at += step)
    if (isOption(items[at])) return at;
  return from;
}

/**
 * The option that starts with the typed text, or has the typed number. A text that no option starts
 * with begins again with its last letter.
 */
function jump(line: Line, items: readonly Item[]): number | undefined {
  const typed = line.line.toLowerCase();
  for (const text of [typed, typed.slice(-1)]) {
    const at = text === '' ? -1 : optionNamed(items, text);
    if (at === -1) continue;
    replaceLine(line, text);
    return at;
  }
  replaceLine(line, '');
  return undefined;
}

function optionNamed(items: readonly Item[], text: string): number {
  if (/^\d+$/.test(text)) return items.indexOf(items.filter(isOption)[Number(text) - 1] as Item);
  return items.findIndex(
    (item) =>
      isOption(item) &&
      stripVTControlCharacters(item.name).trimStart().toLowerCase().startsWith(text),
  );
}
