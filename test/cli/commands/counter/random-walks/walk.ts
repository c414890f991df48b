/** A person who answers the questions of a counter at random: goes back, changes the window, stops, and loses the server. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startFaultyProxy } from '../../../../helpers/faulty-proxy.ts';
import { makeFolder, removeFolder } from '../../../../helpers/folder.ts';
import { openTerminal, type Terminal } from '../../../../helpers/terminal.ts';
import { afternoon, type Counter, jpeg, noon, openCounter } from '../counter.ts';
import {
  isApproval,
  isList,
  type Label,
  type Line,
  type List,
  type Question,
  summaryOn,
  watch,
} from './questions.ts';
import { type Random, randomFrom } from './random.ts';
import { type Command, changesBetween, compared, countOf, readRecords, rowsOf } from './records.ts';

const mostSteps = 40;

/** Each runs with some cars of the facility. */
const commandLines: readonly (readonly [Command, ...string[]])[] = [
  ['dropoff'],
  ['dropoff', 'HH-W 1'],
  ['pickup'],
  ['pickup', 'HH-P 1'],
  ['move'],
  ['appointments', 'create'],
];

/** What is typed into a line; a refused text with what is said of it. */
const typed: Readonly<Record<Line, readonly (string | readonly [refused: string, why: string])[]>> =
  {
    Plate: ['HH-NEW 7', 'HH-NEW 8'],
    Make: ['Saab', ['', 'Make is required.']],
    Model: ['900'],
    Year: ['1987', ['x1', 'Year ']],
    Colour: ['', 'red', 'black'],
    'First name': ['Freya'],
    'Last name': ['Holm'],
    Phone: ['+45 1234', '+49 40 1'],
    'E-mail': [''],
    Notes: ['', 'two keys', 'wash it', 'mirror loose'],
    Mileage: ['', '41200', ['far', 'Mileage ']],
    Photos: ['', 'a.jpg', '*.jpg', 'a.jpg gone.jpg', ['gone.jpg', "doesn't exist"]],
    Duration: ['45m', ['', 'Duration is required.']],
    Start: ['tomorrow 9', '24.12. 9:00', ['some day', "isn't"]],
  };

const approvalAnswers = ['y', '', 'n', ['Dear Mr Beck,', 'Type y for yes or n for no.']] as const;

/** What is searched for in a list, and the option that it finds. */
const searches: Readonly<
  Partial<Record<List, readonly (readonly [text: string, option: string])[]>>
> = {
  Place: [
    ['a2', 'A2'],
    ['a3', 'A3'],
  ],
  Owner: [
    ['ada', 'Ada Lovelace'],
    ['freya', '＋ Add a new owner (“freya” not found)'],
  ],
};

const carSearches = (command: Command) => {
  const known = {
    dropoff: ['walker'],
    pickup: ['parked'],
    move: ['parked'],
    appointments: ['walker', 'parked'],
  }[command];
  const found = known.map((text) => [text, text === 'walker' ? 'HH-W 1' : 'HH-P 1'] as const);
  return command === 'dropoff'
    ? [...found, ['hh-new 7', '＋ Add a new car (“hh-new 7” not found)'] as const]
    : found;
};

interface Walk {
  readonly command: Command;
  readonly terminal: Terminal;
  readonly random: Random;
  readonly server: { isAway: boolean };
  /** What the summary said when it was approved for the last time. */
  approved: Readonly<Record<string, string>> | undefined;
  /** The first question, from which no way leads back. */
  first: Label | undefined;
  columns: number;
}

/** Returns what was stored. Throws with the seed where that isn't what the summary said. */
export async function walk(seed: number): Promise<Command | 'nothing'> {
  const [counter, folder] = [await openCounter(), await makeFolder()];
  const server = { isAway: false };
  const proxy = await startFaultyProxy(counter.service.url, () =>
    server.isAway ? 'reset' : undefined,
  );
  try {
    await furnish(counter);
    for (const [name, photo] of [
      ['a.jpg', await jpeg(120, 90)],
      ['b.jpg', await jpeg(90, 120)],
    ] as const)
      await writeFile(join(folder, name), photo);
    const random = randomFrom(seed);
    const [command, ...words] = random.oneOf(commandLines);
    const before = await readRecords(counter);
    const terminal = openTerminal([command, ...words, '--retries', '0'], {
      env: {
        ...counter.env(undefined, proxy.url),
        CS_STATE_DIR: join(folder, 'state'),
        CS_CACHE_DIR: join(folder, 'cache'),
      },
      cwd: folder,
      now: noon,
      rows: 50,
      patienceMs: 60_000,
    });
    const done: string[] = [];
    const walking: Walk = {
      command,
      terminal: noting(terminal, done),
      random,
      server,
      approved: undefined,
      first: undefined,
      columns: 80,
    };
    try {
      const code = await walkOn(walking);
      const changes = changesBetween(before, await readRecords(counter));
      if (countOf(changes) === 0) {
        expect(code).not.toBe(0);
        return 'nothing';
      }
      expect(code).toBe(0);
      expect(compared(command, walking.approved ?? {})).toEqual(
        await rowsOf(counter, command, { before, changes }),
      );
      expect(changes.events.length).toBeLessThanOrEqual(1);
      return command;
    } catch (error) {
      throw new Error(
        `${String(error)}\n\ncs ${[command, ...words].join(' ')}, the screen:\n${terminal.screen()}\n\nThe person did: ${done.join(', ')}.\nRepeat it with CS_SEED=${seed}`,
        { cause: error },
      );
    }
  } finally {
    await proxy.close();
    await counter.service.close();
    await removeFolder(folder);
  }
}

/** The terminal of a person, who is known to have done this. */
function noting(terminal: Terminal, done: string[]): Terminal {
  return {
    ...terminal,
    press(key) {
      done.push(key);
      terminal.press(key);
    },
    type(text) {
      done.push(`“${text}”`);
      terminal.type(text);
    },
    resize(columns, rows) {
      done.push(`${columns} columns`);
      terminal.resize(columns, rows);
    },
  };
}

/** A car that is expected, with an appointment; one that is here; two free spots. */
async function furnish({ make, harbour, hall, car }: Counter): Promise<void> {
  const spots: { id: string }[] = [];
  for (const name of ['A1', 'A2', 'A3'])
    spots.push(await make.spot(harbour.id, { zoneId: hall.id, name }));
  const expected = await car({ licensePlate: 'HH-W 1', nickname: 'Walker' });
  const here = await car({ licensePlate: 'HH-P 1', nickname: 'Parked' });
  await make.event(here.id, { parkingSpotId: spots[0]?.id as string });
  await make.customer({ firstName: 'Ada', lastName: 'Lovelace' });
  await make.appointment({ carId: expected.id, eventType: 'drop_off', ...afternoon() });
}

/** Returns the exit code. After many steps the person stops. */
async function walkOn(walking: Walk): Promise<number> {
  const { terminal, server } = walking;
  let question = await next(terminal, watch(terminal).question);
  walking.first = question?.label;
  for (let step = 1; question && step < mostSteps; step += 1)
    question = await takeStep(walking, question);
  if (question) {
    server.isAway = false;
    terminal.press('ctrl-c');
  }
  return terminal.exited;
}

/** The question once there is one; undefined at the end of the command. */
async function next(
  terminal: Terminal,
  find: () => Question | undefined,
): Promise<Question | undefined> {
  let found: Question | undefined;
  const isShown = (screen: string) => {
    found = find();
    return found !== undefined && screen.includes(`? ${found.label}`);
  };
  const waiting = terminal.waitFor(isShown).then(() => found);
  const ended = terminal.exited.then(() => undefined);
  waiting.catch(() => {});
  return Promise.race([ended, waiting]).catch(async (error) => {
    if (String(error).includes('cs ended')) return undefined;
    throw error;
  });
}

async function takeStep(walking: Walk, { label, drawn }: Question): Promise<Question | undefined> {
  const { terminal, random, server } = walking;
  const shown = watch(terminal);
  if (random.chance(2)) {
    terminal.press('ctrl-c');
    expect(await terminal.exited).toBe(130);
    return undefined;
  }
  const canGoBack = isList(label)
    ? drawn.some((line) => line.includes('Esc to go back'))
    : label !== walking.first;
  if (canGoBack && random.chance(15)) {
    terminal.press(random.oneOf(['escape', 'shift-tab']));
    return next(terminal, () => otherThan(label, shown.question()));
  }
  if (random.chance(8)) {
    walking.columns = walking.columns === 80 ? 60 + random.below(20) : 80;
    terminal.resize(walking.columns, 50);
    return next(terminal, shown.questionAnew);
  }
  if (random.chance(8)) server.isAway = true;
  else if (server.isAway && random.chance(50)) server.isAway = false;
  return isList(label) ? choose(walking, { label, drawn }) : type(walking, { label, drawn });
}

const otherThan = (label: Label, question: Question | undefined) =>
  question?.label === label ? undefined : question;

/** Types an answer, and another one in its place if that is refused. */
async function type(
  walking: Walk,
  { label, drawn }: Question & { readonly label: Exclude<Label, List> },
): Promise<Question | undefined> {
  const { terminal, random } = walking;
  const answer = random.oneOf(isApproval(label) ? approvalAnswers : typed[label]);
  const [text, why] = typeof answer === 'string' ? [answer] : answer;
  // Where there is a default, an empty line is an answer.
  const refusal = text === '' && drawn[0]?.includes('Enter for ') ? undefined : why;
  const echo = watch(terminal);
  terminal.press('ctrl-u');
  terminal.type(text);
  // An earlier refusal has left the screen, so that the one that is waited for is another.
  const isTyped = (asked: Question) => asked.drawn[0]?.endsWith(text) && !isRefused(asked, why);
  await next(terminal, () => where(echo.question(), isTyped));
  if (isApproval(label) && refusal === undefined && text !== 'n')
    walking.approved = summaryOn(terminal.screen());
  const shown = watch(terminal);
  terminal.press('enter');
  if (refusal === undefined) return next(terminal, () => shown.questionAfter(label));
  return next(terminal, () => where(shown.question(), (asked) => isRefused(asked, refusal)));
}

/** What is wrong with an answer stands below it. */
const isRefused = ({ drawn: [, ...below] }: Question, why: string | undefined) =>
  below.some((line) => why !== undefined && line.includes(why));

const where = (question: Question | undefined, is: (question: Question) => boolean | undefined) =>
  question && is(question) ? question : undefined;

async function choose(
  walking: Walk,
  question: Question & { readonly label: List },
): Promise<Question | undefined> {
  const { terminal } = walking;
  const { label } = question;
  const ready = await moveCursor(walking, question);
  if (ready?.label !== label) return ready;
  const shown = watch(terminal);
  terminal.press('enter');
  const following = await next(terminal, () => shown.questionAfter(label));
  // Stored without a summary.
  const place = /^✓ Place +(.*)/m.exec(shown.lines().join('\n'))?.[1];
  if (walking.command === 'move' && place) walking.approved = { Place: place };
  return following;
}

/** Returns the question with the cursor on an option, or another question that comes between. */
async function moveCursor(
  { command, terminal, random, server }: Walk,
  question: Question & { readonly label: List },
) {
  const { label } = question;
  const search =
    label === 'Car'
      ? random.oneOf(carSearches(command))
      : searches[label] && random.oneOf([undefined, ...searches[label]]);
  if (search) {
    const [text, option] = search;
    const shown = watch(terminal);
    terminal.press('ctrl-u');
    terminal.type(text);
    const isFound = ({ label: asked, drawn }: Question) =>
      asked !== label ||
      (drawn[0]?.endsWith(` ${text}`) &&
        drawn.some((line) => line.startsWith('❯') && line.includes(option)));
    return next(terminal, () => where(shown.question(), isFound));
  }
  if (label === 'Place' || label === 'Owner' || label === 'Customer') {
    let asked: Question | undefined = question;
    for (let presses = random.below(4); presses > 0 && asked?.label === label; presses -= 1) {
      const shown = watch(terminal);
      terminal.press('down');
      asked = await next(terminal, shown.question);
    }
    return asked;
  }
  if (label === 'What now?' && random.chance(75)) server.isAway = false;
  const option = random.oneOf(optionsOf(question));
  const isOn = ({ drawn }: Question) => drawn.includes(`❯ ${option}`);
  for (;;) {
    const shown = watch(terminal);
    terminal.type(option.slice(0, 6));
    const asked = await next(
      terminal,
      () =>
        where(shown.question(), isOn) ??
        shown.questionAfter(label) ??
        otherThan(label, shown.question()),
    );
    // An Enter for the question before may have answered this one: where it is asked again, the person looks again. Before the letters,
    // even: then they stand in the next question.
    if (asked?.drawn[0]?.endsWith(option.slice(0, 6))) {
      const cleared = watch(terminal);
      terminal.press('ctrl-u');
      return next(terminal, cleared.question);
    }
    if (asked?.label !== label || isOn(asked)) return asked;
  }
}

/** Those of a list that isn't searched. */
function optionsOf({ drawn }: Question): string[] {
  const end = drawn.findIndex((line, at) => at > 0 && !/^[❯ ] \S/.test(line));
  return drawn
    .slice(1, end)
    .map((line) => line.slice(2))
    .filter((option) => !option.startsWith('Work offline'));
}
