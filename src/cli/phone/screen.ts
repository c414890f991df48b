/** What the terminal shows while photos come from a phone. */
import { sizeText } from '../../phone/protocol.ts';
import type { Styles } from '../terminal/style.ts';
import { breakWords, pluralize, sanitize } from '../terminal/text.ts';
import { cut, fill, widthOf } from '../terminal/width.ts';
import { codeLines } from './code.ts';
import type { ArrivingPhoto, ListedPhoto, Phone } from './reception.ts';

export interface ScreenView {
  readonly title: string;
  readonly url: string;
  /** False without colours or block characters: the address is typed. */
  readonly canDrawCode: boolean;
  /** The phone that uses the code. */
  readonly phone: Phone | undefined;
  /** Shown until a phone has the code. */
  readonly advice: readonly string[];
  readonly listed: readonly ListedPhoto<unknown>[];
  readonly arriving: readonly ArrivingPhoto[];
  readonly totalBytes: number;
  /** What the last key needs, or why nothing is received. */
  readonly notice: string | undefined;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

type Style = (text: string) => string;
type Line = readonly [text: string, style?: Style];

const margin = 2;
const gap = 2;
const fewLines = 6;
/** With less, the list is below the code. */
const columnsForTwo = 74;

/** At most `rows` lines of at most `columns` cells. */
export function drawScreen(
  view: ScreenView,
  { columns, rows }: ScreenSize,
  styles: Styles,
): string[] {
  const width = columns - margin;
  const code = view.canDrawCode ? codeLines(view.url) : [];
  const codeWidth = code.length > 0 ? code.length * 2 - 1 : 0;
  const head = [titleLine(view.title, width, styles)];
  const foot = footLines(view, width, styles);
  const room = rows - head.length - foot.length;
  const fits = code.length > 0 && code.length <= room && codeWidth <= width;
  const middle = !fits
    ? panel(view, { width, room, hasCode: false }, styles)
    : columns >= columnsForTwo
      ? beside(
          code,
          panel(view, { width: width - codeWidth - gap, room, hasCode: true }, styles),
          codeWidth,
        )
      : [...code, ...panel(view, { width, room: room - code.length, hasCode: true }, styles)];
  return [...head, ...middle, ...foot]
    .slice(0, rows)
    .map((line) => (line === '' ? '' : `${' '.repeat(margin)}${line}`));
}

function beside(left: readonly string[], right: readonly string[], leftWidth: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const code = left[row] ?? ' '.repeat(leftWidth);
    return right[row] ? `${code}${' '.repeat(gap)}${right[row]}` : code;
  });
}

function titleLine(title: string, width: number, styles: Styles): string {
  const name = 'Photos from a phone';
  const about = cut(sanitize(title), Math.max(0, width - name.length - gap));
  return `${styles.title(name)}${' '.repeat(Math.max(gap, width - name.length - widthOf(about)))}${about}`;
}

function footLines(
  { listed, arriving, totalBytes, notice }: ScreenView,
  width: number,
  styles: Styles,
): string[] {
  const there = listed.filter(({ kind }) => kind === 'arrived').length;
  const count = [
    there === 0
      ? 'No photos yet'
      : `${pluralize(there, 'photo', 'photos')}, ${sizeText(totalBytes)}`,
    ...(arriving.length > 0 ? [`${arriving.length} arriving`] : []),
  ].join(', ');
  const keys = [
    ...(there > 0 ? ['Enter send'] : []),
    'n new code',
    ...(there > 0 ? ['x drop last'] : []),
    there > 0 ? 'Esc no photos' : 'Esc without photos',
  ];
  return [
    cut(count, width),
    ...(notice === undefined ? [] : wrap(notice, width).map(styles.warning)),
    ...wrapKeys(keys, width).map(styles.dim),
  ];
}

function wrapKeys(keys: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const key of keys) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 3 + key.length <= width)
      lines[lines.length - 1] = `${last} · ${key}`;
    else lines.push(key);
  }
  return lines;
}

const wrap = (text: string, width: number): string[] =>
  breakWords(sanitize(text), width).split('\n');

interface Room {
  readonly width: number;
  readonly room: number;
  /** Whether the code is on the screen. */
  readonly hasCode: boolean;
}

/** The address, the phone and the list, in `room` lines. */
function panel(view: ScreenView, { width, room, hasCode }: Room, styles: Styles): string[] {
  const { url, phone, advice, listed, arriving } = view;
  // Where there is little room, who is connected needs no address any more.
  const isShort = phone !== undefined && room < fewLines;
  const first: Line[] = isShort
    ? []
    : hasCode
      ? [
          ["Scan with the phone's camera."],
          ...addressLines(url, width).map((part): Line => [part, styles.dim]),
        ]
      : [
          ["Type this into the phone's browser:"],
          ...addressLines(url, width).map((part): Line => [part, styles.command]),
        ];
  const status: Line[] = phone
    ? [[cut(sanitize(`${phone.device} connected (${phone.address})`), width), styles.success]]
    : [
        ...wrap('The phone must be in the same network.', width).map((line): Line => [line]),
        ...advice.flatMap((line) => wrap(line, width)).map((line): Line => [line, styles.warning]),
      ];
  const top = [...first, ...status].slice(0, Math.max(0, room));
  const list = lastOf(listBlocks(listed, arriving, width, styles), room - top.length, styles);
  return [...top, ...list].map(([text, style]) => (style ? style(text) : text));
}

/** The last photos, as many as have room, and how many are above them. */
function lastOf(
  blocks: readonly (readonly Line[])[],
  room: number,
  styles: Styles,
): readonly Line[] {
  const lines = blocks.flat();
  if (lines.length <= room) return lines;
  let first = blocks.length;
  for (
    let left = room - 1;
    first > 0 && (blocks[first - 1] as readonly Line[]).length <= left;
    first -= 1
  )
    left -= (blocks[first - 1] as readonly Line[]).length;
  return room > 0 ? [[`… ${first} more above`, styles.dim], ...blocks.slice(first).flat()] : [];
}

/** Whole, so that it can be typed. */
const addressLines = (url: string, width: number): string[] =>
  url.length <= width ? [url] : url.split(/(?=#)/).flatMap((part) => chunks(part, width));

function chunks(text: string, width: number): string[] {
  return text.match(new RegExp(`.{1,${Math.max(1, width)}}`, 'g')) ?? [];
}

/** The lines of each photo. */
function listBlocks(
  listed: readonly ListedPhoto<unknown>[],
  arriving: readonly ArrivingPhoto[],
  width: number,
  styles: Styles,
): readonly (readonly Line[])[] {
  const row = (sign: string, name: string, about: string) => {
    const nameWidth = Math.max(12, Math.min(24, width - widthOf(about) - 4));
    return cut(`${sign} ${fill(sanitize(name), nameWidth)}  ${about}`, width);
  };
  return [
    ...listed.map((photo): readonly Line[] => {
      if (photo.kind === 'refused')
        return [
          [cut(`✗ ${sanitize(photo.name)}`, width), styles.error],
          ...wrap(photo.message, width - margin).map(
            (line): Line => [`${' '.repeat(margin)}${line}`, styles.error],
          ),
        ];
      const size = sizeText(photo.sizeBytes).padStart(8);
      return [[row('✓', photo.name, [size, photo.note].filter(Boolean).join('  '))]];
    }),
    ...arriving.map(({ name, sizeBytes, received }): readonly Line[] => {
      const share = Math.min(100, Math.floor((received / Math.max(1, sizeBytes)) * 100));
      return [[row('↑', name, `${share} %`.padStart(8)), styles.command]];
    }),
  ];
}
