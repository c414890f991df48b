/** The pictures of the documentation: screens of real runs against the demonstration, with stopped clocks. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, removeFolder } from '../helpers/folder.ts';
import { type Cell, startTerminal, type Terminal } from '../helpers/pseudo-terminal.ts';
import { type Picture, themes, toSvg } from './svg.ts';

export const now = new Date('2026-05-04T07:40:00Z');
const timeZone = 'Europe/Berlin';
const columns = 80;

export const demoEnv = (home: string) => ({
  CS_LOCATION: 'Harbour',
  HOME: home,
  CS_CONFIG_DIR: join(home, 'config'),
  CS_CACHE_DIR: join(home, 'cache'),
  TZ: timeZone,
  LANG: 'en_GB.UTF-8',
});

/** The files by name, such as `board-dark.svg`. */
export async function takePictures(): Promise<Record<string, string>> {
  const home = await makeFolder();
  const demo = join(home, 'demo');
  const env = demoEnv(home);
  const terminals: { close(): void }[] = [];
  const start = (argv: readonly string[]): Terminal => {
    const terminal = startTerminal(argv, {
      env,
      cwd: home,
      columns,
      rows: 60,
      now,
      patienceMs: 120_000,
    });
    terminals.push(terminal);
    return terminal;
  };
  try {
    const service = start(['demo', '--keep', '--data', demo]);
    await service.waitFor('keeps running here');
    await cp(join(demo, 'sample-photos'), join(home, 'shots'), { recursive: true });
    // The day before the drop-off, the halls after it.
    const today = await result(start(['today']), 'cs today');
    const dropoff = await dropOff(start(['dropoff']));
    const board = await result(start(['board']), 'cs board');
    const audit = await takeStock(start(['audit', '--zone', 'Hall A']));
    const pictures: Record<string, Picture> = {
      today: {
        title: 'cs today: arrivals, departures, what is late, cars without photos',
        rows: today,
      },
      dropoff: {
        title: 'cs dropoff: a car found by its nickname and parked, with two photos',
        rows: dropoff,
      },
      board: { title: 'cs board: each zone as a drawing of its spots', rows: board },
      audit: {
        title: 'cs audit: six spots, with a car that is recorded in another one',
        rows: audit,
      },
    };
    service.press('ctrl-c');
    await service.exited;
    return Object.fromEntries(
      Object.entries(pictures).flatMap(([name, picture]) =>
        themes.map((theme) => [`${name}-${theme}.svg`, toSvg(picture, theme)]),
      ),
    );
  } finally {
    for (const terminal of terminals) terminal.close();
    await removeFolder(home);
  }
}

/** A returning car on its way from the first question to the stored drop-off. */
async function dropOff(terminal: Terminal): Promise<Cell[][]> {
  await terminal.waitFor('? Car');
  terminal.type('emma');
  await terminal.waitFor(/❯ HH-E 61H/);
  terminal.press('enter');
  await terminal.waitFor(/\? Place[\s\S]*❯/);
  terminal.press('enter');
  await terminal.waitFor('? Notes');
  terminal.type('left mirror loose');
  terminal.press('enter');
  await terminal.waitFor('? Photos');
  terminal.type('shots/*.jpg');
  terminal.press('enter');
  await terminal.waitFor('? Store this drop-off?');
  terminal.press('enter');
  return result(terminal, 'cs dropoff');
}

/** A car of A2 that is found in A5. */
async function takeStock(terminal: Terminal): Promise<Cell[][]> {
  for (const [at, typed] of ['', '-', '', '', 'pim388', ''].entries()) {
    await terminal.waitFor(`(${at + 1} of 6)`);
    terminal.type(typed);
    terminal.press('enter');
  }
  await terminal.waitFor('6 of 6 noted');
  terminal.press('enter');
  return result(terminal, 'cs audit --zone "Hall A"', 12);
}

/** The screen at the end, below the command as it is typed. */
async function result(terminal: Terminal, line: string, expected = 0): Promise<Cell[][]> {
  const code = await terminal.exited;
  if (code !== expected) throw new Error(`${line} ended with ${code}:\n${terminal.screen()}`);
  const rows = terminal.cells();
  const texts = rows.map((row) => row.map(({ text }) => text).join(''));
  // The clock of the pictures stands still, and a drop-off tells by how many days.
  const note = texts.findIndex((text) => text.startsWith("The server's clock"));
  const shown = note === -1 ? rows : rows.slice(0, note);
  const last = shown.findLastIndex((_, at) => texts[at]?.trim() !== '');
  return [typed(`$ ${line}`), typed(''), ...shown.slice(0, last + 1)];
}

const typed = (line: string): Cell[] =>
  [...line].map((text, index) => ({
    text,
    foreground: undefined,
    background: undefined,
    bold: index > 0,
    dim: index === 0,
    underlined: false,
  }));
