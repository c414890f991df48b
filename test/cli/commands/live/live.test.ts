/** `cs board --watch` and `cs today --watch`: one screen for the shift, on a real pseudo-terminal of 80 × 24 without colour. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import { afternoon, type Counter, noon, openCounter } from '../counter/counter.ts';

let counter: Counter;
let dropOffType: string;
beforeAll(async () => {
  counter = await openCounter();
  const types: { id: string; value: string }[] = await counter.make.read('/event-types');
  dropOffType = types.find(({ value }) => value === 'drop_off')?.id as string;
});
afterAll(() => counter.service.close());

const down = '\u001b[B';
const open = (argv: readonly string[], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(argv, { env: { ...counter.env(), NO_COLOR: '1', ...env }, now: noon, ...options });

async function parked(licensePlate: string) {
  const [car, spot] = [await counter.car({ licensePlate }), await counter.spot()];
  await counter.make.event(car.id, {
    parkingSpotId: spot.id,
    occurredAt: new Date(noon.getTime() - 86_400_000).toISOString(),
  });
  return { car, spot };
}
const eventsOf = async (carId: string) =>
  (await counter.storedOf(carId)).events.map(({ activityType }) => activityType);

describe('from the view to a command and back', () => {
  test('a search chooses a car, p hands it over, and the view shows what changed and what was stored', async () => {
    const { car, spot } = await parked('HH-LIVE 1');
    const other = await parked('HH-LIVE 2');
    const terminal = open(['board', '--watch'], { andThen: 'stty -a; echo after' });
    await terminal.waitFor('HH-LIVE 1');
    expect(terminal.raw()).toContain('\u001b[?1049h');
    terminal.type('/live1');
    await terminal.waitFor(/\/live1_ {2}1 of 1: HH-LIVE 1/);
    terminal.press('enter');
    const chosen = await terminal.waitFor(`❯ HH-LIVE 1 · ${spot.name} · Hall A`);
    expect(chosen).toMatch(/p pick-up · m move/);
    expect(chosen).toMatch(/│❯HH-LIVE 1 +│/);
    terminal.type('p');
    await terminal.waitFor('? Notes');
    expect(terminal.screen()).toMatch(/^Pick-up {2}HH-LIVE 1 · /m);
    terminal.press('enter');
    await terminal.waitFor('? Hand this car over? (Y/n)');
    terminal.press('enter');
    await terminal.waitFor(/^12:00 . HH-LIVE 1 has been picked up$[\s\S]*HH-LIVE 2/m);
    const left = await terminal.waitFor(/^(?![\s\S]*│.HH-LIVE 1)[\s\S]*q to quit/);
    expect(left).toContain('d drop-off');
    expect(await eventsOf(car.id)).toEqual(expect.arrayContaining(['pick_up']));
    expect(await eventsOf(other.car.id)).toEqual(['drop_off']);
    terminal.type('q');
    await terminal.waitFor('after');
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw()).toMatch(/[^-]icanon .*[^-]echo /);
    // What was stored stays on the terminal.
    expect(terminal.raw().split('\u001b[?1049l').at(1)).toContain('HH-LIVE 1 has been picked up');
  });

  test('in colour: the line about what was stored shows no escape codes', async () => {
    await parked('HH-GREEN 1');
    const terminal = open(['board', '--watch'], { env: { NO_COLOR: '' } });
    await terminal.waitFor('HH-GREEN 1');
    terminal.type('/green1');
    await terminal.waitFor('1 of 1: HH-GREEN 1');
    terminal.press('enter');
    await terminal.waitFor('p pick-up');
    terminal.type('p');
    await terminal.waitFor('? Notes');
    terminal.press('enter');
    await terminal.waitFor('? Hand this car over? (Y/n)');
    terminal.press('enter');
    await terminal.waitFor(/^12:00 . HH-GREEN 1 has been picked up$/m);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
    // What stays on the terminal keeps its colours.
    expect(terminal.raw().split('\u001b[?1049l').at(1)).toContain(
      '\u001b[1mHH-GREEN 1 has been picked up\u001b[22m',
    );
  });

  test('today: an arrival is dropped off, and the board shows it parked', async () => {
    const { car: parkedCar } = await parked('HH-HERE 1');
    const car = await counter.car({ licensePlate: 'HH-COMES 1' });
    await counter.make.appointment({
      ...afternoon(),
      carId: car.id,
      appointmentTypeId: dropOffType,
    });
    const terminal = open(['today', '--watch']);
    await terminal.waitFor(/^Updated \d\d:\d\d:\d\d, every 15 s/);
    terminal.type('/comes');
    await terminal.waitFor('1 of 1: HH-COMES 1');
    terminal.press('enter');
    terminal.type('m');
    await terminal.waitFor("HH-COMES 1 isn't parked here.");
    terminal.type('d');
    await terminal.waitFor(/^Drop-off {2}HH-COMES 1/m);
    await terminal.waitFor('? Place');
    terminal.press('ctrl-c');
    await terminal.waitFor('Enter: back to today');
    expect(terminal.screen()).toContain('Nothing was stored.');
    terminal.press('enter');
    await terminal.waitFor(/❯ HH-COMES 1 .*d drop-off/);
    expect(await eventsOf(car.id)).toEqual([]);
    terminal.type('b');
    await terminal.waitFor(/HH-HERE 1[\s\S]*t today/);
    expect(await eventsOf(parkedCar.id)).toEqual(['drop_off']);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('a car that has left is no longer chosen: the next key means no other car', async () => {
    const { car, spot } = await parked('HH-LEAVES 1');
    const terminal = open(['board', '--watch']);
    await terminal.waitFor('HH-LEAVES 1');
    terminal.type('/leaves');
    await terminal.waitFor('1 of 1');
    terminal.press('enter');
    await terminal.waitFor('❯ HH-LEAVES 1');
    await counter.make.event(car.id, { activityType: 'pick_up' });
    const next = await counter.car({ licensePlate: 'HH-NEXT 1' });
    await counter.make.event(next.id, { parkingSpotId: spot.id });
    terminal.type('r');
    await terminal.waitFor('HH-LEAVES 1 is no longer here.');
    await terminal.waitFor('HH-NEXT 1');
    terminal.type('p');
    await terminal.waitFor('Choose a car first');
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
    expect(await eventsOf(next.id)).toEqual(['drop_off']);
  });

  test.each([
    ['pick-up', 'p', 'HH-ESC 1', '? Notes'],
    ['move', 'm', 'HH-ESC 2', '? Place'],
  ])(
    'Esc at the first question of a %s goes back to the view, and nothing is stored',
    async (_flow, key, plate, first) => {
      const { car } = await parked(plate);
      const terminal = open(['board', '--watch']);
      await terminal.waitFor(plate);
      terminal.type(`/${plate}`);
      await terminal.waitFor('1 of 1');
      terminal.press('enter');
      terminal.type(key);
      await terminal.waitFor(first);
      expect(terminal.screen()).toContain('Esc at the first question: back to the board');
      terminal.press('escape');
      // The terminal reads a screen in pieces: the chosen car is in its last line.
      await terminal.waitFor(new RegExp(`^12:00 Nothing was stored\\.$[\\s\\S]*❯ ${plate}`, 'm'));
      expect(await eventsOf(car.id)).toEqual(['drop_off']);
      terminal.type('q');
      expect(await terminal.exited).toBe(0);
    },
  );

  test('Esc at a later question goes back one, then to the view', async () => {
    await parked('HH-ESC 3');
    const terminal = open(['board', '--watch']);
    await terminal.waitFor('HH-ESC 3');
    terminal.type('/esc3\rp');
    await terminal.waitFor('? Notes');
    terminal.type('two keys\r');
    await terminal.waitFor('? Hand this car over? (Y/n)');
    terminal.press('escape');
    await terminal.waitFor(/\? Notes +two keys/);
    terminal.press('escape');
    await terminal.waitFor('12:00 Nothing was stored.');
    terminal.type('d');
    await terminal.waitFor('HH-ESC 3 is already here.');
    terminal.press('escape');
    terminal.type('d');
    await terminal.waitFor('? Car');
    terminal.press('escape');
    await terminal.waitFor('12:00 Nothing was stored.');
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('Ctrl-Z in the command stops the view too, and fg goes on with the question', async () => {
    const { car } = await parked('HH-PAUSE 1');
    const env = { ...counter.env(), NO_COLOR: '1', PS1: 'shell> ' };
    const terminal = openTerminal(['--norc', '--noprofile', '-i'], { program: 'bash', env });
    await terminal.waitFor('shell>');
    terminal.type(`'${process.execPath}' bin/cs.js board --watch\r`);
    await terminal.waitFor('q to quit');
    terminal.type('/pause');
    await terminal.waitFor('1 of 1');
    terminal.press('enter');
    terminal.type('p');
    await terminal.waitFor('? Notes');
    terminal.type('\u001a');
    await terminal.waitFor(/Stopped[\s\S]*shell>$/);
    terminal.type('fg\r');
    await terminal.waitFor(/shell> fg\n[\s\S]*--watch/);
    terminal.type('two keys\r');
    await terminal.waitFor(/Notes +two keys\n[\s\S]*\? Hand this car over/);
    terminal.press('ctrl-c');
    await terminal.waitFor('Enter: back to the board');
    terminal.type('q');
    await terminal.waitFor('q to quit');
    terminal.type('q');
    await terminal.waitFor(/shell>$/);
    expect(await eventsOf(car.id)).toEqual(['drop_off']);
  });

  test('what is pasted is a search, never keys', async () => {
    await parked('HH-DPM 1');
    const terminal = open(['board', '--watch']);
    await terminal.waitFor('HH-DPM 1');
    terminal.type('\u001b[200~HH-DPM 1\rq\u001b[201~');
    await terminal.waitFor('/HH-DPM 1 q_  no car matches');
    terminal.press('escape');
    await terminal.waitFor('q to quit');
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });
});

describe('the screen', () => {
  test('the server goes away and comes back: the last picture stays, with the time since when', async () => {
    await parked('HH-STAYS 1');
    let broken = false;
    const proxy = await startFaultyProxy(counter.service.url, () => (broken ? '429' : undefined));
    onTestFinished(() => proxy.close());
    const terminal = open(['board', '--watch', '1'], { env: { CS_BASE_URL: proxy.url } });
    await terminal.waitFor('HH-STAYS 1');
    broken = true;
    await terminal.waitFor(/^Not updated since 12:00:00, retrying[\s\S]*HH-STAYS 1/);
    terminal.type('t');
    await terminal.waitFor(/Couldn't read today[\s\S]*HH-STAYS 1/);
    expect(terminal.screen()).not.toContain('Waiting');
    broken = false;
    await terminal.waitFor(/^Updated 12:00:00/);
    terminal.type('t');
    await terminal.waitFor('Waiting for approval');
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('a resize redraws', async () => {
    await parked('HH-WIDE 1');
    const terminal = open(['board', '--watch']);
    await terminal.waitFor('HH-WIDE 1');
    terminal.type(down);
    await terminal.waitFor('↑↓ choose a car · / search · t today · r read again · q to quit');
    terminal.resize(60, 20);
    const narrow = await terminal.waitFor('↑↓ choose · / search · t today · q to quit');
    expect(narrow.split('\n')).toHaveLength(20);
    terminal.resize(120, 30);
    await terminal.waitFor('r read again');
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('a server without sessions: the rest of the day is there; LANG=C gets ASCII', async () => {
    await parked('HH-PLAIN 1');
    const lacks = ({ url }: { url: string }) => url.includes('/event-sessions');
    const proxy = await startFaultyProxy(counter.service.url, () => undefined, { lacks });
    onTestFinished(() => proxy.close());
    const terminal = open(['today', '--watch'], { env: { CS_BASE_URL: proxy.url, LC_ALL: 'C' } });
    expect(await terminal.waitFor("Cars without photos  couldn't be read")).toContain(
      'Departures  none',
    );
    terminal.type('b');
    await terminal.waitFor('t today');
    terminal.type('/plain1\r');
    expect(await terminal.waitFor(/^> HH-PLAIN 1 - .*p pick-up - m move$/m)).toMatch(/^[\n -~]*$/);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('a key that may not read the day stays on the board', async () => {
    const key = await counter.service.keyWith(['read:parking']);
    const terminal = open(['board', '--watch'], { env: { CS_API_KEY: key } });
    await terminal.waitFor('q to quit');
    terminal.type('t');
    await terminal.waitFor(/Couldn't read today[\s\S]*Hall A/);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });
});
