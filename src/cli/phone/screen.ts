/** What the terminal shows while photos come from a phone. */
import { encode } from 'uqr';
import { sizeText } from '../../phone/protocol.ts';
import type { Context } from '../context.ts';
import { supportsUnicode } from '../terminal/ascii.ts';
import type { Io } from '../terminal/io.ts';
import { hasColor, type Styles } from '../terminal/style.ts';
import { breakWords, pluralize, sanitize } from '../terminal/text.ts';
import { cut, fill, widthOf } from '../terminal/width.ts';
import type { ListedPhoto, Reception } from './reception.ts';

export interface ScreenView
  extends Pick<Reception<unknown>['state'], 'phone' | 'arriving' | 'failures'> {
  readonly title: string;
  readonly url: string;
  /** The lines of the code; empty without colours or block characters: the address is typed. */
  readonly code: readonly string[];
  /** Shown until a phone has the code. */
  readonly advice: readonly string[];
  readonly listed: readonly ListedPhoto<unknown>[];
  readonly totalBytes: number;
  /** Names of photos that should be there too. */
  readonly missing: readonly string[];
  /** What the last key needs. */
  readonly notice: string | undefined;
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const indent = '  ';
/** With less, the list is below the code. */
const columnsForTwo = 74;

/** Empty where the terminal can't show one. */
export const codeOf = (
  { io, settings }: Pick<Context, 'io' | 'settings'>,
  url: string,
): string[] =>
  supportsUnicode(io) && io.env.TERM !== 'dumb' && hasColor(io, 'stderr', settings.color)
    ? codeLines(url)
    : [];

/**
 * Black on white in exact colours, also in a dark terminal: cameras don't read an inverted code.
 * Two rows of modules per line.
 */
export function codeLines(url: string): string[] {
  const { data } = encode(url, { ecc: 'L', border: 2 });
  return Array.from({ length: Math.ceil(data.length / 2) }, (_, line) => {
    const [upper = [], lower = []] = [data[line * 2], data[line * 2 + 1]];
    const blocks = upper.map(
      (isDark, column) => ' ▄▀█'[(isDark ? 2 : 0) + (lower[column] ? 1 : 0)],
    );
    return `\u001b[38;5;16;48;5;231m${blocks.join('')}\u001b[0m`;
  });
}

/** At most `rows` lines of at most `columns` cells. */
export function drawScreen(view: ScreenView, { columns, rows }: ScreenSize, styles: Styles) {
  const width = columns - indent.length;
  const name = 'Photos from a phone';
  const about = cut(sanitize(view.title), Math.max(0, width - name.length - 2));
  const gap = ' '.repeat(Math.max(2, width - name.length - widthOf(about)));
  const foot = footOf(view, width, styles);
  const room = rows - 1 - foot.length;
  const codeWidth = view.code.length * 2 - 1;
  const hasCode = view.code.length > 0 && view.code.length <= room && codeWidth <= width;
  const isWide = hasCode && columns >= columnsForTwo;
  const panel = panelOf(
    view,
    {
      hasCode,
      width: isWide ? width - codeWidth - 2 : width,
      room: hasCode && !isWide ? room - view.code.length : room,
    },
    styles,
  );
  const code = hasCode ? view.code : [];
  const body = isWide
    ? Array.from({ length: Math.max(code.length, panel.length) }, (_, row) =>
        `${code[row] ?? ' '.repeat(codeWidth)}  ${panel[row] ?? ''}`.trimEnd(),
      )
    : [...code, ...panel];
  return [`${styles.title(name)}${gap}${about}`, ...body, ...foot]
    .slice(0, rows)
    .map((line) => `${indent}${line}`);
}

const wrap = (text: string, width: number): string[] =>
  breakWords(sanitize(text), width).split('\n');

function footOf(view: ScreenView, width: number, styles: Styles): string[] {
  const { listed, arriving, totalBytes, missing, notice, failures } = view;
  const arrivedCount = listed.filter(({ kind }) => kind === 'arrived').length;
  const count =
    arrivedCount === 0
      ? 'No photos yet'
      : `${pluralize(arrivedCount, 'photo', 'photos')}, ${sizeText(totalBytes)}`;
  const keys = arrivedCount > 0 ? 'Enter send · x drop last · Esc no photos' : 'Esc without photos';
  const warnings = [
    ...(failures > 0
      ? [`${pluralize(failures, 'message', 'messages')} with another code refused.`]
      : []),
    ...(notice === undefined ? [] : [notice]),
  ];
  return [
    arriving ? `${count}, 1 arriving` : count,
    ...(missing.length > 0 ? wrap(`Missing: ${missing.join(', ')}`, width) : []),
    ...warnings.flatMap((warning) => wrap(warning, width)).map(styles.warning),
    styles.dim(cut(keys, width)),
  ];
}

interface Room {
  readonly width: number;
  readonly room: number;
  /** Whether the code is on the screen. */
  readonly hasCode: boolean;
}

/** The address, the phone and the list, in `room` lines. */
function panelOf(view: ScreenView, { width, room, hasCode }: Room, styles: Styles): string[] {
  const { url, phone, advice } = view;
  // Whole, so that it can be typed.
  const address = (url.length <= width ? [url] : url.split(/(?=#)/)).flatMap(
    (part) => part.match(new RegExp(`.{1,${Math.max(1, width)}}`, 'g')) ?? [],
  );
  const how = hasCode
    ? [...wrap("Scan with the phone's camera.", width), ...address.map(styles.dim)]
    : [...wrap("Type this into the phone's browser:", width), ...address.map(styles.command)];
  const status = phone
    ? [styles.success(cut(sanitize(`${phone.device} connected (${phone.address})`), width))]
    : [
        ...wrap('The phone must be in the same network.', width),
        ...advice.flatMap((line) => wrap(line, width)).map(styles.warning),
      ];
  // Where there is little room, who is connected needs no address any more.
  const top = [...(phone && room < 6 ? [] : how), ...status].slice(0, Math.max(0, room));
  return [...top, ...lastOf(blocksOf(view, width, styles), room - top.length, styles)];
}

/** The last photos, as many as have room, and how many are above them. */
function lastOf(blocks: readonly string[][], room: number, styles: Styles): string[] {
  if (blocks.flat().length <= room) return blocks.flat();
  if (room <= 0) return [];
  let first = blocks.length;
  while (blocks.slice(first - 1).flat().length <= room - 1) first -= 1;
  return [styles.dim(`… ${first} more above`), ...blocks.slice(first).flat()];
}

/** The lines of each photo. */
function blocksOf({ listed, arriving }: ScreenView, width: number, styles: Styles): string[][] {
  const row = (sign: string, name: string, about: string) => {
    const nameWidth = Math.max(12, Math.min(24, width - widthOf(about) - 4));
    return cut(`${sign} ${fill(sanitize(name), nameWidth)}  ${about}`, width);
  };
  const blocks = listed.map((photo) =>
    photo.kind === 'refused'
      ? [
          cut(`✗ ${sanitize(photo.name)}`, width),
          ...wrap(photo.message, width - 2).map((line) => `${indent}${line}`),
        ].map(styles.error)
      : [row('✓', photo.name, `${sizeText(photo.sizeBytes).padStart(8)}  ${photo.note}`.trimEnd())],
  );
  if (!arriving) return blocks;
  const share = Math.floor((arriving.received / Math.max(1, arriving.size)) * 100);
  const percent = `${Math.min(100, share)} %`.padStart(8);
  return [...blocks, [styles.command(row('↑', arriving.name, percent))]];
}

/** Without a request for so long, people are told what to check: milliseconds. */
export const adviceAfterMs = 20_000;

/** Why a phone may not reach this machine. */
export function adviceFor(
  { env }: Pick<Io, 'env'>,
  { isSilent, port, others }: { isSilent: boolean; port: number; others: readonly string[] },
): string[] {
  const where = env.SSH_CONNECTION ? 'Over SSH' : env.WSL_DISTRO_NAME ? 'In WSL' : undefined;
  return [
    ...(where
      ? [`${where} the phone can't reach the machine that cs runs on. Go on without it.`]
      : []),
    ...(isSilent
      ? [
          'No phone yet? Check:',
          '- same Wi-Fi, not a guest network',
          '- VPN off, on both',
          `- the firewall lets TCP ${port} in`,
          ...others.map((address) => `- or --phone-address ${address}`),
        ]
      : []),
  ];
}
