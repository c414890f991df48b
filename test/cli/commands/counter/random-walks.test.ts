/** A hundred ways through the questions of a drop-off: whatever happens, nothing is stored, or exactly what was approved. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type Terminal } from '../../../helpers/terminal.ts';
import { type Counter, folderWith, jpeg, openCounter } from './counter.ts';

const walks = 100;
const atOnce = 4;
const mostSteps = 25;

let counter: Counter;
beforeAll(async () => {
  counter = await openCounter();
  for (let made = 0; made < walks; made += 1) await counter.spot();
});
afterAll(() => counter.service.close());

/** The same numbers for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** The question that waits for an answer: the last one of the screen, once nothing is being looked up. */
const questionOn = (screen: string): string | undefined =>
  screen
    .split('\n')
    .findLast((line) => /^[?⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✓] /.test(line))
    ?.match(/^\? (.*)/)?.[1];

interface Walk {
  readonly terminal: Terminal;
  readonly random: (below: number) => number;
  readonly nickname: string;
  interrupt(): void;
  setAway(away: boolean): void;
}

/** Types something into the question. Returns once the terminal has written more. */
async function step({ terminal, random, nickname, interrupt, setAway }: Walk, question: string): Promise<void> {
  const written = terminal.raw().length;
  const chance = random(100);
  if (chance < 3) {
    interrupt();
    await terminal.exited;
    return;
  }
  if (chance < 15) terminal.type('\u001b[Z');
  else if (chance < 21) terminal.resize(60 + random(60), 24);
  else await answerTo({ terminal, random, nickname, setAway }, question, chance < 27);
  // A key that arrives while the question is drawn again is lost: the next step presses another.
  await terminal.waitUntil(() => terminal.raw().length > written, 400).catch(() => {});
}

async function answerTo({ terminal, random, nickname, setAway }: Omit<Walk, 'interrupt'>, question: string, away: boolean): Promise<void> {
  if (away) setAway(true);
  if (question.startsWith('Car')) {
    terminal.press('ctrl-u');
    terminal.type(nickname);
    const isFound = () => new RegExp(`\\? Car +${nickname}\\n❯ .*${nickname}.*\\n {2}＋`).test(terminal.screen());
    await terminal.waitUntil(() => isFound() || /What now/.test(questionOn(terminal.screen()) ?? ''), 3_000).catch(() => {});
    // Another walk's car isn't taken.
    terminal.type(isFound() ? '\r' : '\u001b[Z');
  } else if (question.startsWith('Notes')) {
    terminal.press('ctrl-u');
    terminal.type(`${['', 'two keys', 'wash it', 'mirror loose'][random(4)]}\r`);
  } else if (question.startsWith('Photos')) {
    terminal.press('ctrl-u');
    terminal.type(`${['', 'a.jpg', 'nothing.jpg'][random(3)]}\r`);
  } else if (question.startsWith('Store')) {
    terminal.press('ctrl-u');
    terminal.type(`${['y', '', 'n', 'junk'][random(4)]}\r`);
  } else {
    if (question.startsWith('What now')) setAway(false);
    // What was typed for the question before may have come too late for it.
    terminal.press('ctrl-u');
    for (let presses = random(3); presses > 0; presses -= 1) terminal.press('down');
    terminal.press('enter');
  }
}

interface Approved {
  readonly notes: string | null;
  readonly photos: number;
  readonly place: string | undefined;
}

/** The last summary, and the last place that was chosen: another one after the summary's was taken. */
function approvedIn(raw: string): Approved {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor is left out
  const text = raw.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r/g, '');
  const summary = text.slice(text.lastIndexOf('\n  Car        '));
  // An event without a place may follow one with a place.
  const place = /^ {2}Place /m.test(summary) ? [...text.matchAll(/✓ Place +(S\d+)/g)].at(-1)?.[1] : undefined;
  return {
    notes: summary.match(/^ {2}Notes +(.*)$/m)?.[1]?.trim() ?? null,
    photos: Number(summary.match(/^ {2}Photos +(\d+) photo/m)?.[1] ?? 0),
    place,
  };
}

async function walk(seed: number, cwd: string): Promise<string> {
  const nickname = `Walker${seed}x`;
  const car = await counter.car({ nickname });
  let isAway = false;
  const proxy = await startFaultyProxy(counter.service.url, () => (isAway ? 'reset' : undefined));
  onTestFinished(() => proxy.close());
  const terminal = openTerminal(['dropoff', car.licensePlate, '--retries', '0'], { env: counter.env(counter.service.key, proxy.url), cwd });
  const setAway = (away: boolean) => {
    isAway = away;
  };
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    terminal.press('ctrl-c');
  };
  const going = { terminal, random: randomFrom(seed), nickname, interrupt, setAway };
  let ended: number | undefined;
  void terminal.exited.then((code) => {
    ended = code;
  });
  for (let steps = 0; ended === undefined && steps < mostSteps; steps += 1) {
    await terminal.waitUntil(() => questionOn(terminal.screen()) !== undefined);
    const question = questionOn(terminal.screen());
    if (ended === undefined && question !== undefined) await step(going, question);
  }
  setAway(false);
  if (ended === undefined) interrupt();
  const code = await terminal.exited;
  const stored = await counter.storedOf(car.id);
  const tells = `seed ${seed}, exit ${code}:\n${terminal.screen()}`;
  if (stored.events.length === 0) {
    // Ctrl-C may reach a program that has ended its work.
    if (!interrupted) expect(code, tells).not.toBe(0);
    return 'nothing';
  }
  const { notes, photos, place } = approvedIn(terminal.raw());
  expect(stored.events, tells).toMatchObject([{ notes }]);
  expect([...new Set(stored.photos.map(({ id }) => id))].length, tells).toBe(code === 0 ? photos : stored.photos.length);
  const spotId = stored.events[0]?.parkingSpotId;
  const spot = spotId ? await counter.make.read(`/parking/spots/${spotId}`) : undefined;
  expect(spot?.name, tells).toBe(place);
  return 'stored';
}

test(`${walks} random walks`, { timeout: 600_000 }, async () => {
  const cwd = await folderWith({ 'a.jpg': await jpeg(120, 90) });
  const ends: string[] = [];
  let next = 1;
  const lane = async () => {
    while (next <= walks) ends.push(await walk(next++, cwd));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  // Both ends occur, so that neither is asserted in vain.
  expect(new Set(ends)).toEqual(new Set(['nothing', 'stored']));
  expect(ends).toHaveLength(walks);
});
