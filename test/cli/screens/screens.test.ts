/**
 * Every screen of the counter at 60 or 80 columns, on a real pseudo-terminal. Look at what changes in `rendered` before you accept it
 * (`--update=all` writes it): a line that breaks in a word, a column that is cut, a table that isn't aligned.
 */
import { createServer } from 'node:net';
import { afterAll, beforeAll, onTestFinished, test } from 'vitest';
import { cs } from '../../helpers/cli.ts';
import { type Fault, startFaultyProxy } from '../../helpers/faulty-proxy.ts';
import { readNames } from '../../helpers/names.ts';
import { openScene, type Scene } from './scene.ts';
import { type Run, takeShots } from './shots.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

const at = (columns: number) => ({ scene, columns });

/** Its id differs in each run. */
async function idOfPending(env: Record<string, string>): Promise<string[]> {
  const { json } = await cs(['pending', 'list'], { env });
  return ['pending', 'show', json[0].id];
}

const list = /❯ [\s\S]*type to search/;

test('dropoff', async () => {
  await takeShots(at(80), 'dropoff', [
    {
      argv: ['dropoff'],
      async act({ shot, answer, terminal, end }) {
        await shot('the car', list);
        terminal.type('lee');
        await shot('found by its owner', /lee\n. HH-E 61H[^\n]*\n[^\n]*\n {2}＋/);
        terminal.press('ctrl-u');
        terminal.type('61h');
        await terminal.waitFor(/61h\n❯ HH-E 61H[^\n]*\n {2}＋/);
        terminal.press('enter');
        await shot('the place', /\? Place[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('a1');
        await shot('a free place', /a1\n(?!.*A3)[\s\S]*❯ +A1\n *\n/);
        terminal.press('ctrl-u');
        terminal.type('a2');
        await shot('a taken place', /A2[^\n]*taken/);
        terminal.press('ctrl-u');
        await terminal.waitFor(/\? Place +a spot[\s\S]*❯ [\s\S]*type to search/);
        terminal.press('enter');
        await shot('notes', '? Notes');
        await answer(
          '? Notes',
          'Scratch on the left door, seen with the owner. Two keys, registration and the hard top are in the office.',
        );
        await shot('photos', '? Photos');
        await answer('? Photos', 'notes.txt');
        await shot('photos: none is usable', /notes\.txt\n[\s\S]*type/);
        terminal.press('ctrl-u');
        await answer('? Photos', "front.jpg, 'rear side with the scratch.jpg', notes.txt");
        await shot('photos: some are not usable', /❯ Skip this one/);
        terminal.press('down');
        await answer('❯ Choose the photos again');
        await shot('photos: chosen again', /\? Photos +front\.jpg/);
        terminal.press('enter');
        await answer('❯ Skip this one');
        await shot('the summary', '? Store this drop-off?');
        await answer('? Store this drop-off?', 'maybe');
        await shot('neither yes nor no', 'Type y');
        terminal.press('ctrl-u');
        await answer('? Store this drop-off?', 'n');
        await shot('what to change', /❯ Car[\s\S]*Leave/);
        terminal.type('notes\r');
        await terminal.waitFor(/\? Notes +Scratch/);
        terminal.press('shift-tab');
        await shot('a change taken back', /drop-off\? \(Y\/n\)$/);
        terminal.press('enter');
        await end('the result');
      },
    },
    {
      argv: ['dropoff', 'PI-M 388', '--mileage', '41200', '--photo', 'front.jpg'],
      async act({ shot, answer, terminal, end }) {
        await shot('a car that is here', /❯ Move it[\s\S]*to choose/);
        terminal.type('log');
        await answer('❯ Log another drop-off');
        await terminal.waitFor(/\? Place[\s\S]*type to search/);
        terminal.type('lift');
        await shot('places found by their zone', /lift\n[\s\S]*❯ +L2/);
        await answer(/❯ +L2/);
        await answer('? Notes');
        await shot('the summary of a move', '? Store this drop-off?');
        await answer('? Store this drop-off?', 'n');
        await terminal.waitFor(/❯ Car[\s\S]*Leave/);
        terminal.type('event\r');
        await shot('the types of a drop-off', /\? Event[\s\S]*❯ [\s\S]*to choose/);
        terminal.press('shift-tab');
        await answer(/drop-off\? \(Y\/n\)$/);
        await end('moved by a drop-off');
      },
    },
  ]);
});

test('dropoff of a new car', async () => {
  await takeShots(at(60), 'dropoff-new-car', [
    {
      argv: ['dropoff', '--appointment', 'today'],
      async act({ shot, answer, terminal, end }) {
        await terminal.waitFor(list);
        terminal.type('HH-N 7');
        await shot('no such car', /“HH-N 7” not found/);
        terminal.press('enter');
        await shot('plate', /\? Plate +HH-N 7/);
        await answer('? Plate');
        await answer('? Make');
        await shot('a required answer is missing', /Make is required/);
        terminal.type('Porsche\r');
        await answer('? Model', '911');
        await answer('? Year', '2099');
        await shot('a wrong answer', 'must be at most');
        terminal.press('ctrl-u');
        terminal.type('1973\r');
        await shot('colour', '? Colour');
        await answer('? Colour', 'Red');
        await shot('owner', /❯ No owner yet[\s\S]*type to search/);
        terminal.type('lovelace');
        await shot('no such owner', '“lovelace” not found');
        terminal.press('enter');
        await shot('the name of a new owner', '? First name');
        await answer('? First name', 'Ada');
        await answer(/\? Last name +Lovelace/);
        await answer('? Phone', '+49 40 555 0199');
        await answer('? E-mail', 'ada');
        await shot('no e-mail address', /\? E-mail +ada\n[^\n]+/);
        terminal.press('ctrl-u');
        terminal.type('ada@example.com\r');
        await terminal.waitFor(/\? Place[\s\S]*type to search/);
        terminal.type('yard');
        await shot('a zone', /❯ +Yard/);
        terminal.press('enter');
        await answer('? Notes');
        await answer('? Photos');
        await shot('the summary', '? Store this drop-off?');
        await answer('? Store this drop-off?', 'n');
        await shot('what to change', /❯ Car[\s\S]*Leave/);
        terminal.press('shift-tab');
        await answer(/drop-off\? \(Y\/n\)$/);
        await end('the result');
      },
    },
  ]);
});

test('pickup', async () => {
  await takeShots(at(60), 'pickup', [
    {
      argv: ['pickup'],
      async act({ shot, answer, terminal, end }) {
        await shot('the car', list);
        terminal.type('nobody');
        await shot('no such car', /nobody\n[\s\S]*No /);
        terminal.press('ctrl-u');
        terminal.type('m 388');
        await shot('found by its plate', /m 388\n❯ PI-M 388[^\n]*\n *\n/);
        terminal.press('enter');
        await shot('notes', '? Notes');
        await answer('? Notes', 'Two keys, and the summer tyres are in the boot with the tools.');
        await shot('the summary', '? Hand this car over?');
        await answer('? Hand this car over?', 'n');
        await shot('what to change', /❯ Car[\s\S]*Leave/);
        terminal.type('fulfils\r');
        await shot('its appointment', /\? Fulfils[\s\S]*❯ [\s\S]*to choose/);
        terminal.type('none\r');
        await answer(/over\? \(Y\/n\)$/, 'n');
        await terminal.waitFor(/❯ Car[\s\S]*Leave/);
        terminal.type('photos\r');
        await shot('its photos', '? Photos');
        terminal.press('shift-tab');
        await answer(/over\? \(Y\/n\)$/, 'n');
        await terminal.waitFor(/❯ Car[\s\S]*Leave/);
        terminal.type('mileage\r');
        await shot('its mileage', '? Mileage');
        await answer('? Mileage', '41200');
        await shot('the corrected summary', /41200[\s\S]*over\? \(Y\/n\)$/);
        await answer(/over\? \(Y\/n\)$/);
        await end('the result');
      },
    },
    { argv: ['pickup', 'HH-MU 65H', '--photo', 'front.jpg', '--notes', 'one key', '--yes'] },
  ]);
});

test('move', async () => {
  await takeShots(at(80), 'move', [
    {
      argv: ['move'],
      async act({ shot, terminal, end }) {
        await shot('the car', list);
        terminal.type('388');
        await terminal.waitFor(/388\n❯ PI-M 388[^\n]*\n *\n/);
        terminal.press('enter');
        await shot('the place', /\? Place[\s\S]*❯ [\s\S]*type to search/);
        terminal.press('enter');
        await end('the result');
      },
    },
    {
      argv: ['move', 'HH-FI 500', '--notes', 'for the lift'],
      async act({ shot, terminal, end }) {
        await terminal.waitFor(/\? Place[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('a4');
        await shot('the place of a known car, and where it is', /a4\n[\s\S]*A4/);
        terminal.press('ctrl-u');
        terminal.type('barn');
        await shot('places in a zone', /barn\n[\s\S]*❯ +anywhere/);
        terminal.press('enter');
        await end('moved into a zone');
      },
    },
  ]);
});

test('undo', async () => {
  const undo: (name: string) => Run = (name) => ({
    argv: ['undo'],
    async act({ shot, answer, end }) {
      await shot(`${name}: the summary`, '? Take it back?');
      await answer('? Take it back?');
      await end(`${name}: the result`);
    },
  });
  await takeShots(at(60), 'undo', [
    { name: 'nothing to take back', argv: ['undo'] },
    { argv: ['dropoff', 'HH-E 61H', '--type', 'drop_off', '--spot', 'A1', '--yes'] },
    undo('a drop-off'),
    { name: 'taken back already', argv: ['undo'] },
    { argv: ['move', 'PI-M 388', 'A1'] },
    undo('a move'),
    { argv: ['pickup', 'PI-M 388', '--yes'] },
    undo('a pick-up'),
  ]);
});

test('create', async () => {
  await takeShots(at(80), 'create', [
    {
      argv: ['appointments', 'create'],
      async act({ shot, answer, terminal, end }) {
        await shot('the type of an appointment', /\? Event[\s\S]*❯ [\s\S]*to choose/);
        terminal.type('d');
        await terminal.waitFor('❯ Drop-off');
        terminal.press('enter');
        await shot('its car', /\? Car[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('61h');
        await terminal.waitFor(/61h\n❯ HH-E 61H[^\n]*\n *\n/);
        terminal.press('enter');
        await shot('its start', '? Start');
        await answer('? Start', 'someday');
        await shot('not a time', "isn't a time");
        terminal.press('ctrl-u');
        terminal.type('tomorrow 9\r');
        await shot('the summary of an appointment', '? Store this appointment?');
        await answer('? Store this appointment?', 'n');
        await shot('what to change of an appointment', /❯ Event[\s\S]*Leave/);
        terminal.type('dur\r');
        await shot('its duration', '? Duration');
        await answer('? Duration', 'long');
        await shot('not a duration', "isn't a");
        terminal.press('ctrl-u');
        terminal.type('1h 15m\r');
        await answer(/10:15[\s\S]*\? Store this appointment\?/);
        await end('the stored appointment');
      },
    },
    {
      argv: ['pickup', 'PI-M 388', '--yes'],
      act: ({ terminal }) => terminal.exited.then(() => {}),
    },
    {
      argv: ['appointments', 'create', '--at', 'fri 14:30', '--notes', 'Bring the hard top'],
      rows: 40,
      async act({ shot, answer, terminal, end }) {
        await terminal.waitFor(/\? Event[\s\S]*❯ [\s\S]*to choose/);
        terminal.type('p');
        await answer('❯ Pick-up');
        await shot('the cars of a pick-up', /\? Car[\s\S]*❯ [\s\S]*type to search/);
        terminal.press('shift-tab');
        await terminal.waitFor(/\? Event[\s\S]*❯ Pick-up[\s\S]*to choose/);
        terminal.type('c');
        await answer('❯ Customer visit');
        await shot('the customer of a visit', /\? Customer[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('ada lovelace');
        await answer('❯ ＋ Add a new customer');
        await answer(/\? First name +Ada/);
        await answer(/\? Last name +Lovelace/);
        await answer('? Phone');
        await answer('? E-mail', 'ada@example.com');
        await shot('the summary of a visit', '? Store this appointment?');
        await answer('? Store this appointment?');
        await end('the stored visit');
      },
    },
    {
      argv: ['customers', 'create'],
      async act({ shot, answer, end }) {
        await shot('the first name of a customer', '? First name');
        await answer('? First name', 'Maximiliane');
        await answer('? Last name', 'von Hohenlohe-Waldenburg-Schillingsfürst');
        await answer('? Company', 'Schloss Langenburg');
        await answer('? Phone', '+49 40 555 0188');
        await shot('the e-mail address', '? E-mail');
        await answer('? E-mail', 'kasse@langenburg.example');
        await shot('the summary of a customer', '? Store this customer?');
        await answer('? Store this customer?');
        await end('the stored customer');
      },
    },
    {
      argv: ['cars', 'create'],
      async act({ shot, answer, terminal, end }) {
        await shot('the plate of a car', '? Plate');
        await answer('? Plate', 'HH-Q 8');
        await answer('? Make', 'Mercedes-Benz');
        await answer('? Model', '300 SL Gullwing Coupé');
        await answer('? Year', '1955');
        await answer('? Colour', 'Silver');
        await terminal.waitFor(/❯ No owner yet[\s\S]*type to search/);
        terminal.type('grace@example.com');
        await answer('❯ ＋ Add a new owner');
        await answer('? First name', 'Grace');
        await answer('? Last name');
        await answer('? Phone');
        await answer(/\? E-mail +grace@/);
        await shot('the summary of a car', '? Store this car?');
        await answer('? Store this car?', 'n');
        await shot('what to change of a car', /❯ Plate[\s\S]*Leave/);
        terminal.press('shift-tab');
        await answer(/car\? \(Y\/n\)$/);
        await end('the stored car');
      },
    },
    {
      argv: ['contacts', 'create'],
      async act({ shot, answer, terminal, end }) {
        await answer('? First name', 'Hedy');
        await answer('? Last name', 'Lamarr');
        await shot('the customer of a contact', /\? Customer[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('nobody');
        await shot('no such customer', /nobody\n[\s\S]*No /);
        terminal.press('ctrl-u');
        terminal.type('nord');
        await answer(/nord\n(.*\n)*❯ Nordlicht/);
        await shot('the role of a contact', '? Role');
        await answer('? Role');
        await answer('? Phone', '+49 40 555 0177');
        await answer('? E-mail', 'hedy@example.com');
        await shot('the summary of a contact', '? Store this contact?');
        await answer('? Store this contact?', 'n');
        await shot('what to change of a contact', /❯ First name[\s\S]*Leave/);
        terminal.type('leave\r');
        await end('a contact that is left');
      },
    },
  ]);
});

test('today and board', async () => {
  await takeShots(at(60), 'today-and-board', [
    {
      argv: ['today', '--watch'],
      rows: 60,
      async act({ shot, terminal }) {
        await shot('today --watch', /q to quit/);
        terminal.type('q');
      },
    },
    {
      argv: ['board', '--watch'],
      rows: 60,
      async act({ shot, terminal }) {
        await shot('board --watch', /q to quit/);
        terminal.type('q');
      },
    },
  ]);
});

test('lists and records', async () => {
  await takeShots(at(60), 'lists-and-records', [
    { argv: ['cars', 'list'] },
    { argv: ['cars', 'get', 'PI-M 388'] },
    { argv: ['cars', 'events', 'list', 'PI-M 388'] },
    { argv: ['appointments', 'list'] },
    { argv: ['parking', 'assignments', 'list'] },
    { argv: ['threads', 'messages', 'list', 'Winter storage'] },
  ]);
});

test('photos from a phone', async () => {
  // Where the usual port is taken, every terminal has one of five digits.
  const busy = createServer().on('error', () => {});
  busy.listen(8788, '127.0.0.1');
  onTestFinished(() => void busy.close());
  await takeShots(at(80), 'phone', [
    {
      argv: ['dropoff', 'HH-E 61H', '--spot', 'A1', '--notes', 'x', '--phone'],
      env: { CS_PHONE_ADDRESS: '127.0.0.1', NO_COLOR: '' },
      rows: 32,
      async act({ shot, terminal }) {
        await shot('the code', /without photos/);
        terminal.press('enter');
        await shot(
          'nothing to send',
          /Nothing to send: Esc goes on without photos\.\n +Esc without photos$/,
        );
      },
    },
  ]);
});

test('errors, and what is pending', async () => {
  let fault: Fault | undefined;
  const proxy = await startFaultyProxy(scene.service.url, ({ method }) =>
    method === 'POST' ? fault : undefined,
  );
  const away = await startFaultyProxy(scene.service.url, () => (fault ? 'reset' : undefined));
  onTestFinished(async () => {
    await proxy.close();
    await away.close();
  });
  fault = 'reset';
  await takeShots(at(60), 'errors-and-pending', [
    { argv: ['dropoff', 'HH-E 61H', '--spot', 'A2', '--type', 'drop_off', '--yes'] },
    {
      argv: ['dropoff', 'HH-E 61H', '--zone', 'nowhere'],
      act: ({ shot }) =>
        shot('cs dropoff: an unknown zone', /Choose another place[\s\S]*❯ [\s\S]*to choose/),
    },
    { argv: ['dropoff', 'HH-E 61H', 'HH-MX 5'] },
    { argv: ['dropoff', 'HH-E 61H', '--phone', '--photo', 'front.jpg'] },
    {
      name: 'a key without the scope',
      argv: ['contacts', 'create'],
      env: { CS_API_KEY: await scene.service.keyWith(['read:customers']) },
    },
    {
      argv: ['pickup', 'HH-E 61H'],
      act: ({ shot }) =>
        shot("cs pickup: a car that isn't here", /Choose another car[\s\S]*❯ [\s\S]*to choose/),
    },
    {
      argv: ['move', 'HH-E 61H', 'A1'],
      act: ({ shot }) =>
        shot("cs move: a car that isn't here", /Choose another car[\s\S]*❯ [\s\S]*to choose/),
    },
    { argv: ['dropof'] },
    {
      argv: ['cars', 'get', 'HH'],
      act: ({ shot }) =>
        shot('cs cars get: a part of several plates', /Which one is it[\s\S]*❯ [\s\S]*to choose/),
    },
    { argv: ['cars', 'get', 'nobody'] },
    { name: 'a wrong key', argv: ['today'], env: { CS_API_KEY: 'csk_wrong' } },
    {
      name: 'the server is away',
      argv: ['today', '--retries', '0'],
      env: { CS_BASE_URL: away.url },
    },
    {
      argv: [
        'dropoff',
        'HH-E 61H',
        '--spot',
        'A1',
        '--type',
        'drop_off',
        '--yes',
        '--retries',
        '0',
      ],
      env: { CS_BASE_URL: proxy.url },
    },
    { argv: ['pending', 'list'] },
    { name: 'cs pending show', argv: idOfPending },
    {
      name: 'other work on this car',
      argv: ['pickup', 'HH-E 61H', '--yes'],
      env: { CS_BASE_URL: proxy.url },
    },
    {
      async argv() {
        fault = undefined;
        return ['dropoff', 'HH-E 61H', '--spot', 'A1', '--type', 'drop_off'];
      },
      env: { CS_BASE_URL: proxy.url },
      async act({ shot, answer, end }) {
        await shot('the same line again', /❯ Finish it[\s\S]*to choose/);
        await answer('❯ Finish it');
        await end('finished');
      },
    },
  ]);
});

test('without the server', async () => {
  let fault: Fault | undefined;
  const proxy = await startFaultyProxy(scene.service.url, () => fault);
  onTestFinished(() => proxy.close());
  const env = { CS_BASE_URL: proxy.url };
  const queue = (...line: string[]): Run => ({
    name: `cs ${line.join(' ')}`,
    argv: [...line, '--offline'],
    env,
  });
  await takeShots(at(80), 'offline', [
    {
      async argv(env) {
        await readNames(env);
        fault = 'reset';
        return ['dropoff', '--retries', '0'];
      },
      env,
      async act({ shot, answer, terminal, end }) {
        await shot('the server is away', /❯ Work offline[\s\S]*to choose/);
        await answer('❯ Work offline');
        await shot('the known cars', /\? Car[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('hh-e');
        await shot('found among them', /hh-e\n❯ HH-E 61H/);
        await answer('❯ HH-E 61H');
        await shot('the known places', /\? Place[\s\S]*❯ [\s\S]*type to search/);
        terminal.type('a1');
        await answer(/❯ A1/);
        await answer('? Notes', 'two keys');
        await answer('? Photos');
        await shot('the summary', '? Queue this drop-off?');
        await answer('? Queue this drop-off?', 'n');
        await shot('what to change', /❯ Car[\s\S]*Leave/);
        terminal.type('event\r');
        await shot('the known types', /\? Event[\s\S]*❯ [\s\S]*type to search/);
        terminal.press('shift-tab');
        await answer(/drop-off\? \(Y\/n\)$/);
        await end('the queued drop-off');
      },
    },
    { ...queue('move', 'hh-e 61h', 'Z 9', '--yes'), name: 'a spot that is not known' },
    queue('pickup', 'HH-TS 22E', '--yes'),
    queue('pickup', 'HH-TS 22E', '--yes'),
    {
      argv: ['move', 'PI-M 388', 'A3', '--retries', '0'],
      env,
      async act({ answer, terminal, end }) {
        await terminal.waitFor('❯ Work offline');
        terminal.press('down');
        await answer('❯ Stop');
        await end('not without the server');
      },
    },
    { argv: ['pending', 'list'], env },
    { name: 'a queued drop-off', argv: idOfPending, env },
    {
      async argv() {
        fault = undefined;
        return ['pending', 'resume'];
      },
      env,
      rows: 40,
    },
    {
      name: 'a refused move',
      argv: idOfPending,
      env,
    },
    {
      async argv(env) {
        const [, , id = ''] = await idOfPending(env);
        return ['pending', 'discard', id];
      },
      env,
      async act({ shot, answer, end }) {
        await shot('forget it', '? Forget');
        await answer('? Forget', 'y');
        await end('forgotten');
      },
    },
  ]);
});
