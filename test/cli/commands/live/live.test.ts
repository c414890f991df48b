/** `cs board --watch` and `cs today --watch`: one screen for the shift, on a real pseudo-terminal of 80 × 24 without colour. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { builtInShell } from '../../../helpers/built.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { openTerminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import { answer, counterOfFile, noon, pick } from '../counter/counter.ts';

const counter = counterOfFile();

const open = (argv: readonly string[], { env, ...options }: TerminalOptions = {}) =>
  openTerminal(argv, {
    env: { ...counter.env(), NO_COLOR: '1', ...env },
    now: noon,
    ...options,
  });

async function parked(licensePlate: string) {
  const [car, spot] = [await counter.car({ licensePlate }), await counter.spot()];
  await counter.make.event(car.id, {
    parkingSpotId: spot.id,
    occurredAt: new Date(noon.getTime() - 86_400_000).toISOString(),
  });
  return car;
}
const eventsOf = async (carId: string) =>
  (await counter.storedOf(carId)).events.map(({ activityType }) => activityType);

describe('from the screen to a command and back', () => {
  test('in colour: p runs cs pickup, what it prints is shown as it prints it, and the screen is back with what changed', async () => {
    const car = await parked('HH-LIVE 1');
    const terminal = open(['board', '--watch'], {
      env: { NO_COLOR: '' },
      andThen: 'stty -a; echo after',
    });
    await terminal.waitFor('HH-LIVE 1');
    terminal.type('p');
    await pick(terminal, '? Car', 'live', /❯ HH-LIVE 1/);
    await answer(terminal, '? Notes');
    await answer(terminal, /\? Hand this car over/);
    const done = await terminal.waitFor('Enter: back to the board');
    expect(done).toMatch(/^.*HH-LIVE 1 has been picked up$/m);
    expect(done).not.toContain('[1m');
    terminal.press('enter');
    await terminal.waitFor(/^(?![\s\S]*HH-LIVE 1)Updated [\s\S]*q to quit/);
    expect(await eventsOf(car.id)).toEqual(expect.arrayContaining(['pick_up']));
    terminal.type('q');
    await terminal.waitFor('after');
    expect(await terminal.exited).toBe(0);
    expect(terminal.raw()).toMatch(/[^-]icanon .*[^-]echo /);
    // What was stored stays on the terminal, with its colours.
    expect(terminal.raw().split('\u001b[?1049l').at(1)).toContain(
      '\u001b[1mHH-LIVE 1 has been picked up\u001b[22m',
    );
  });

  test('Esc at the first question goes back, and nothing is stored', async () => {
    const car = await parked('HH-ESC 1');
    // The view starts other commands on its terminal.
    const terminal = open(['today', '--watch'], { ownProcess: true });
    await terminal.waitFor('q to quit');
    terminal.type('m');
    await terminal.waitFor('? Car');
    expect(terminal.screen()).toContain('cs move  Esc at the first question: back to today');
    terminal.press('escape');
    await terminal.waitFor(/^Updated [\s\S]*q to quit/);
    expect(await eventsOf(car.id)).toEqual(['drop_off']);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('Ctrl-Z in the command stops the screen too, and fg goes on with the question', async () => {
    await parked('HH-PAUSE 1');
    const env = { ...counter.env(), NO_COLOR: '1', PS1: 'shell> ' };
    const terminal = openTerminal(['--norc', '--noprofile', '-i'], { program: 'bash', env });
    await terminal.waitFor('shell>');
    terminal.type(`${builtInShell} board --watch\r`);
    await terminal.waitFor('q to quit');
    terminal.type('p');
    await terminal.waitFor('? Car');
    terminal.type('\u001a');
    // Nothing of the question is left below the shell's prompt.
    const screen = await terminal.waitFor(/Stopped[\s\S]*\nshell>$/);
    expect(screen).not.toMatch(/HH-|\? Car|↑↓/);
    terminal.type('fg\r');
    await terminal.waitFor(/shell> fg[\s\S]*\? Car[\s\S]*↑↓/);
    terminal.type('pause');
    await terminal.waitFor(/❯ HH-PAUSE 1/);
    terminal.press('ctrl-c');
    await terminal.waitFor('Enter: back to the board');
    terminal.type('q');
    await terminal.waitFor('q to quit');
    terminal.type('q');
    await terminal.waitFor(/shell>$/);
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
    expect(terminal.screen()).not.toContain('Waiting');
    broken = false;
    await terminal.waitFor(/^Updated 12:00:00/);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });

  test('a resize redraws', async () => {
    await parked('HH-WIDE 1');
    const terminal = open(['board', '--watch']);
    await terminal.waitFor('d drop-off · p pick-up · m move · ↑↓ scroll · q to quit');
    terminal.resize(60, 20);
    const isRedrawn = (screen: string) =>
      screen.split('\n').length === 20 && screen.endsWith('q to quit');
    await terminal.waitFor(isRedrawn);
    terminal.type('q');
    expect(await terminal.exited).toBe(0);
  });
});
