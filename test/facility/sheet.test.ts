/** Which events of a car a hand-over sheet shows, and how their photos are paired. */
import { expect, test } from 'vitest';
import type { RecordFor } from '../../src/contract/contract.ts';
import { eventOf, sheetHtml, sheetOf } from '../../src/facility/sheet.ts';

const events = [
  ['a', ''],
  ['b', 'two keys'],
  ['c', 'Takes back the drop-off b'],
].map(([id, notes], at) => ({ id, notes, occurredAt: `2026-03-0${at + 1}T08:00:00Z` }));

test.each([
  [undefined, 'a', []],
  ['b', 'b', ['a']],
  ['c', 'c', ['a']],
  ['x', undefined, []],
])('of %s: without what was taken back', (id, of, before) => {
  const found = eventOf(events as RecordFor<'carEvents'>[], id);
  expect([found.event?.id, found.before.map((one) => one.id)]).toEqual([of, before]);
});

test('photos of one name stand beside each other, in any case and format', () => {
  const visits = [
    ['front.jpg', 'IMG_1.jpg'],
    ['FRONT.HEIC', 'IMG_2.jpg'],
  ].map((names) => ({
    title: '',
    facts: [],
    photos: names.map((name) => ({ name, src: undefined })),
  }));
  const html = sheetHtml({ title: '', facility: [], facts: [], foot: '', visits });
  const shown = [...html.matchAll(/<figcaption>(.+?)<|no photo/g)].map(
    ([all, name]) => name ?? all,
  );
  expect(shown).toEqual([
    ...['front.jpg', 'FRONT.HEIC', 'IMG_1.jpg', 'no photo', 'no photo', 'IMG_2.jpg'],
  ]);
});

test('what a sheet says, of one visit and of two', () => {
  const hall = {
    name: 'Hall <1>',
    timezone: 'Europe/Berlin',
    phone: '+49 40 1',
    email: 'hall@garage.example',
    address: {
      line1: 'Quay 1',
      line2: 'Gate B',
      postalCode: '20457',
      city: 'Hamburg',
      country: 'Germany',
    },
  };
  const car = {
    ...{
      year: 1973,
      make: 'Porsche',
      model: '911',
      licensePlate: 'HH-E 61',
      vin: '9113',
      color: 'red',
    },
    ...{ parkingSpotId: 's', mileage: 12, notes: 'Two keys' },
  };
  const owner = {
    firstName: 'Emma',
    lastName: 'Lee',
    phone: '+49 40 2',
    email: 'emma@example.com',
  };
  const visitOf = (activityType: string, event: object, ...photos: string[]) => ({
    event: { activityType, ...event },
    photos: photos.map((name) => ({ name, src: name.startsWith('x') ? undefined : `/${name}` })),
  });
  const first = visitOf(
    'drop_off',
    { occurredAt: 'NOON', notes: 'Dent', parkingSpotId: 's' },
    'a.jpg',
    'x.jpg',
  );
  const second = visitOf('pick_up', { occurredAt: 'EVE', notes: null }, 'a.jpg');
  const show = (records: object, more: object = {}) => {
    const sheet = sheetOf({
      ...{ car, now: new Date(0), timeText: (iso: string, zone = 'UTC') => `${iso} ${zone}` },
      ...{ spots: new Map(), zones: new Map(), locations: new Map(), ...records },
    } as unknown as Parameters<typeof sheetOf>[0]);
    return sheetHtml({ ...sheet, ...more }).replace(/^[\s\S]*<body>/, '');
  };
  const known = {
    owner,
    types: [{ value: 'drop_off', name: 'Arrival' }],
    spots: new Map([['s', { name: 'A1', zoneId: 'z', locationId: 'l' }]]),
    zones: new Map([['z', { name: 'Yard', locationId: 'l' }]]),
    locations: new Map([['l', hall]]),
  };
  expect(
    show({ ...known, visits: [first, second] }, { link: { text: 'Back', href: '/cars' } }),
  ).toMatchInlineSnapshot(`
    "
    <nav><a href="/cars">Back</a></nav>
    <header><div><b>Hall &lt;1&gt;</b><br>Quay 1<br>Gate B<br>20457 Hamburg<br>Germany<br>+49 40 1<br>hall@garage.example</div>
    <h1>HH-E 61</h1></header>
    <dl><dt>Car</dt><dd>1973 Porsche 911</dd><dt>Plate</dt><dd>HH-E 61</dd><dt>VIN</dt><dd>9113</dd><dt>Colour</dt><dd>red</dd><dt>Owner</dt><dd>Emma Lee · +49 40 2 · emma@example.com</dd><dt>Mileage</dt><dd>12</dd><dt>Place</dt><dd>A1 · Yard · Hall &lt;1&gt;</dd><dt>Notes</dt><dd>Two keys</dd></dl>
    <div class="visits pair">
    <section><h2>Arrival, NOON Europe/Berlin</h2><dl><dt>Place</dt><dd>A1 · Yard · Hall &lt;1&gt;</dd><dt>Notes</dt><dd>Dent</dd></dl></section>
    <section><h2>Pick up, EVE Europe/Berlin</h2><dl></dl></section>
    </div>
    <div class="photos two"><figure><img alt="" src="/a.jpg"><figcaption>a.jpg</figcaption></figure><figure><img alt="" src="/a.jpg"><figcaption>a.jpg</figcaption></figure>
    <figure><p>This picture can't be shown.</p><figcaption>x.jpg</figcaption></figure><figure class="none">no photo</figure></div>
    <div class="signatures"><div><p></p>Handed over by: name, date, signature</div><div><p></p>Received by: name, date, signature</div></div>
    <footer>Made on 1970-01-01T00:00:00.000Z Europe/Berlin</footer>
    </body>
    </html>
    "
  `);
  expect(show({ ...known, visits: [second] })).toContain(
    '<div class="photos"><figure><img alt="" src="/a.jpg"><figcaption>a.jpg</figcaption></figure></div>',
  );
  expect(
    show({ car: { ...car, mileage: null }, visits: [visitOf('pick_up', { occurredAt: 'EVE' })] }),
  ).toMatchInlineSnapshot(`
    "
    <header><div><b>Hand-over sheet</b></div>
    <h1>HH-E 61</h1></header>
    <dl><dt>Car</dt><dd>1973 Porsche 911</dd><dt>Plate</dt><dd>HH-E 61</dd><dt>VIN</dt><dd>9113</dd><dt>Colour</dt><dd>red</dd><dt>Mileage</dt><dd>________________</dd><dt>Notes</dt><dd>Two keys</dd></dl>
    <div class="visits">
    <section><h2>Pick up, EVE UTC</h2><dl></dl></section>
    </div>
    <p class="none">No photos.</p>
    <div class="signatures"><div><p></p>Handed over by: name, date, signature</div><div><p></p>Received by: name, date, signature</div></div>
    <footer>Made on 1970-01-01T00:00:00.000Z UTC</footer>
    </body>
    </html>
    "
  `);
});
