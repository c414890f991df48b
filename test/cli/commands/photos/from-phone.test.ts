/** Photos from a phone at the counter: the screen on a real pseudo-terminal, its code read back, and what becomes of the files. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { saveInFolder } from '../../../../src/cli/commands/photos/phone-folder.ts';
import { cs } from '../../../helpers/cli.ts';
import { startFaultyProxy } from '../../../helpers/faulty-proxy.ts';
import { phoneAt } from '../../../helpers/phone-counter.ts';
import { readCode } from '../../../helpers/read-code.ts';
import { recordingFileSystem } from '../../../helpers/recording-file-system.ts';
import { openTerminal, type Terminal, type TerminalOptions } from '../../../helpers/terminal.ts';
import { answer, choose, counterOfFile, folderWith, jpeg } from '../counter/counter.ts';

const counter = counterOfFile();
let photo: Buffer;
let located: Buffer;
beforeAll(async () => {
  photo = await jpeg(400, 300);
  located = await jpeg(400, 300, { gps: true, tone: 90 });
});

async function open(argv: readonly string[], { env, ...options }: TerminalOptions = {}) {
  const state = await folderWith({});
  const terminal = openTerminal(argv, {
    env: { ...counter.env(), CS_STATE_DIR: state, CS_PHONE_ADDRESS: '127.0.0.1', ...env },
    ...options,
  });
  const kept = async () =>
    (await readdir(join(state, 'phone'), { recursive: true }).catch(() => [])).sort();
  return { terminal, state, kept };
}

/** The address in the code on the screen. */
async function scan(terminal: Terminal): Promise<string> {
  await terminal.waitFor("Scan with the phone's camera.");
  let url = '';
  await expect
    .poll(() => {
      url = readCode(terminal.cells()) ?? '';
      return url !== '';
    })
    .toBe(true);
  return url;
}

async function dropoff(options: TerminalOptions = {}, more: readonly string[] = []) {
  const [car, spot] = [await counter.car(), await counter.spot()];
  const argv = [
    'dropoff',
    car.licensePlate,
    ...'--type drop_off --spot'.split(' '),
    spot.name,
    '--notes',
    'x',
    ...more,
  ];
  return { car, ...(await open(argv, options)) };
}

test('a drop-off: the code is read, two photos arrive, Enter sends them, and nothing of them stays here', async () => {
  const { car, terminal, kept } = await dropoff({ ownProcess: true }, ['--phone']);
  const url = await scan(terminal);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#[\w-]{22}$/);
  expect(terminal.screen().split('\n')[0]).toMatch(
    new RegExp(`^ {2}Photos from a phone +${car.licensePlate} · drop-off$`),
  );
  expect(
    terminal
      .screen()
      .split('\n')
      .every((line) => line.length <= 80),
  ).toBe(true);
  const phone = phoneAt(url);
  await phone.hello('iPhone');
  await terminal.waitFor('iPhone connected (127.0.0.1)');
  await phone.photo(photo, { name: 'IMG_0412.jpeg' });
  await phone.photo(located, { name: 'IMG_0413.jpeg' });
  await terminal.waitFor(/✓ IMG_0413\.jpeg +0\.1 MB {2}loc/);
  // A process of its own writes such a screen in pieces.
  await terminal.waitFor(/2 photos, 0\.2 MB\n +Enter send · x drop last · Esc no photos/);
  expect((await kept()).filter((name) => name.endsWith('.jpeg'))).toHaveLength(2);
  terminal.press('enter');
  await terminal.waitFor('? Store this drop-off? (Y/n)');
  expect(terminal.screen()).toContain('location removed');
  terminal.press('enter');
  expect(await terminal.exited).toBe(0);
  const { photos, events } = await counter.storedOf(car.id);
  expect(events).toHaveLength(1);
  expect(photos.map(({ filename }) => filename).sort()).toEqual(['IMG_0412.jpeg', 'IMG_0413.jpeg']);
  expect(await kept()).toEqual([]);
});

test('the answer `phone` at the question; Esc goes on without photos', async () => {
  const { car, terminal, kept } = await dropoff();
  await terminal.waitFor('phone for a phone');
  terminal.type('phone');
  terminal.press('enter');
  const phone = phoneAt(await scan(terminal));
  await phone.hello();
  await phone.photo(photo);
  await terminal.waitFor('1 photo, ');
  // A paste is no answer.
  terminal.type('x\rx\r');
  await phone.photo(located);
  await terminal.waitFor('2 photos, ');
  terminal.press('escape');
  await terminal.waitFor('Esc again leaves out the 2 photos.');
  terminal.press('escape');
  await answer(terminal, /Photos +none[\s\S]*\? Store this drop-off\? \(Y\/n\)/);
  expect(await terminal.exited).toBe(0);
  expect((await counter.storedOf(car.id)).photos).toEqual([]);
  expect(await kept()).toEqual([]);
});

test('Ctrl-C stores nothing, and names what arrived with the command that adds it', async () => {
  const { car, terminal, kept, state } = await dropoff({ columns: 200 }, ['--phone']);
  const phone = phoneAt(await scan(terminal));
  await phone.hello();
  await phone.photo(photo);
  await terminal.waitFor('1 photo, ');
  terminal.press('ctrl-c');
  const screen = await terminal.waitFor('Stopped. Nothing was stored.');
  expect(await terminal.exited).toBe(130);
  await expect(phone.hello()).rejects.toThrow();
  const [name = ''] = await kept();
  const folder = join(state, 'phone', name);
  expect(terminal.screen().replaceAll(/\n +/g, ' ')).toContain(
    `1 photo from the phone isn't stored: delete ${folder}, or add them with \`cs cars photos add CAR ${folder}\`.`,
  );
  expect(screen).not.toContain('✓ IMG_1');
  expect((await counter.storedOf(car.id)).events).toEqual([]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, 'IMG_1.jpeg'))).mode & 0o777).toBe(0o600);

  const env = { ...counter.env(), CS_STATE_DIR: state };
  expect((await cs(['cars', 'photos', 'add', car.licensePlate, folder], { env })).code).toBe(0);
  expect((await counter.storedOf(car.id)).photos).toHaveLength(1);
  expect(await kept()).toEqual([]);
});

test.each([
  ['finished', 1],
  ['forgotten', 0],
])(
  "photos that aren't stored are part of the open work, and go once it is %s",
  async (how, stored) => {
    const car = await counter.car();
    let isAway = true;
    const proxy = await startFaultyProxy(counter.service.url, ({ method }) =>
      isAway && method === 'POST' ? 'reset' : undefined,
    );
    onTestFinished(() => proxy.close());
    const argv = ['cars', 'photos', 'add', car.licensePlate, '--phone', '--retries', '0'];
    const env = { CS_BASE_URL: proxy.url };
    const { terminal, kept, state } = await open(argv, { env, columns: 200 });
    const phone = phoneAt(await scan(terminal));
    await phone.hello();
    await phone.photo(photo);
    await answer(terminal, '1 photo, ');
    expect(await terminal.exited).not.toBe(0);
    const [resume = ''] = /cs pending resume \w+/.exec(terminal.screen()) ?? [];
    expect(terminal.screen()).not.toContain("isn't stored: delete");
    expect((await kept()).filter((name) => name.endsWith('.jpeg'))).toHaveLength(1);
    isAway = false;
    const end = how === 'finished' ? resume : `${resume.replace('resume', 'discard')} --yes`;
    const again = await cs(end.split(' ').slice(1), {
      env: { ...counter.env(), ...env, CS_STATE_DIR: state },
    });
    expect(again.code, again.stderr).toBe(0);
    expect((await counter.storedOf(car.id)).photos).toHaveLength(stored);
    expect(await kept()).toEqual([]);
  },
);

test('keys: Enter needs a photo, x drops the last one; changed at the summary, the screen has what is there', async () => {
  const env = { CS_PHOTOS_DROP_OFF: 'front,rear' };
  const { car, terminal, kept } = await dropoff({ env }, ['--phone']);
  const url = await scan(terminal);
  terminal.press('enter');
  await terminal.waitFor('Nothing to send: Esc goes on without photos.');
  const phone = phoneAt(url);
  await phone.hello();
  await phone.photo(photo, { name: 'a.jpeg' });
  await phone.photo(located, { name: 'b.jpeg' });
  await terminal.waitFor('✓ b.jpeg');
  terminal.type('x');
  await terminal.waitFor((screen) => screen.includes('1 photo, ') && !screen.includes('b.jpeg'));
  terminal.press('enter');
  await terminal.waitFor('Enter again goes on without the photos that are missing or arriving.');
  terminal.press('enter');
  await answer(terminal, '? Store this drop-off? (Y/n)', 'n');
  await choose(terminal, 'Photos', 4);
  await answer(terminal, '? Photos     phone');
  await terminal.waitFor('✓ a.jpeg');
  terminal.press('ctrl-c');
  expect(await terminal.exited).toBe(130);
  expect((await counter.storedOf(car.id)).events).toEqual([]);
  expect((await kept()).filter((name) => name.endsWith('.jpeg'))).toHaveLength(1);
});

test('a photo that is saved is on the disk, under its name', async () => {
  const fs = recordingFileSystem();
  const path = await saveInFolder(await folderWith({}), 'image.jpg', photo, fs);
  expect(fs.calls).toContainEqual(expect.objectContaining({ name: 'write', path }));
  expect(fs.unsynced()).toEqual([]);
});

describe('usage', () => {
  const env = () => counter.env();
  test.each([
    [
      'no address',
      ['dropoff', '--phone', '--phone-address', 'here'],
      '--phone-address: "here" isn\'t an IP address.',
    ],
    [
      'no port',
      ['dropoff', '--phone', '--phone-port', '70000'],
      '--phone-port: "70000" isn\'t a whole number from 1 to 65535.',
    ],
  ])('%s', async (_, argv, message) => {
    const { code, error } = await cs(argv, { env: env() });
    expect({ code, message: error.message }).toEqual({ code: 2, message });
  });
  test("an address that isn't of this machine", async () => {
    const { terminal } = await dropoff({ env: { CS_PHONE_ADDRESS: '198.51.100.7' } }, ['--phone']);
    expect(await terminal.exited).toBe(2);
    expect(terminal.screen()).toContain("7, port 8788: this machine doesn't have the\n");
  });
});
