/**
 * Commands of every kind that write, with a name of each resource, once on a server that knows the specification alone. The writes
 * that the server got are compared with what was asked. On our own service, test/cli/every-resource.test.ts and the tests of each
 * command show it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { png } from '../../helpers/facility.ts';
import { makeFolder, removeFolder } from '../../helpers/folder.ts';
import { type OtherFacility, openOther } from '../../helpers/other-facility.ts';
import { runOn } from './run.ts';

/** A command line, and the only writes that it sends, in order. `{Emma}` stands for an id. */
const lines: readonly (readonly [line: string, ...sends: string[]])[] = [
  [
    'dropoff --car Greta --type drop_off --spot A3 --yes',
    'POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}"}',
  ],
  [
    "dropoff --car {Greta} --type drop_off --zone 'Hall A' --appointment {Greta's drop-off} --photo photo.png --yes",
    `POST /cars/{Greta}/events {"activityType":"drop_off","parkingZoneId":"{Hall A}","appointmentId":"{Greta's drop-off}"}`,
    'POST /cars/{Greta}/photos',
  ],
  ['pickup Ferdi --yes --no-appointment', 'POST /cars/{Ferdi}/events {"activityType":"pick_up"}'],
  [
    'pickup {Ferdi} --type pick_up --appointment today --yes',
    `POST /cars/{Ferdi}/events {"activityType":"pick_up","appointmentId":"{Ferdi's pick-up}"}`,
  ],
  ['move Ferdi --spot A3', 'POST /parking/assignments {"carId":"{Ferdi}","parkingSpotId":"{A3}"}'],
  ["cars update Greta --customer 'Bob Ray'", 'PATCH /cars/{Greta} {"customerId":"{Bob}"}'],
  [
    'cars update --ids {Greta},{Otto} --color red',
    'PATCH /cars/{Greta} {"color":"red"}',
    'PATCH /cars/{Otto} {"color":"red"}',
  ],
  ['cars photos delete Emma front.png --yes', "DELETE /cars/{Emma}/photos/{Emma's photo}"],
  ["customers update 'Bob Ray' --clear externalId", 'PATCH /customers/{Bob} {"externalId":null}'],
  [
    "contacts create --first-name Joe --last-name Fox --customer 'Bob Ray'",
    'POST /contacts {"customerId":"{Bob}","firstName":"Joe","lastName":"Fox"}',
  ],
  ['contacts delete {Cy} {Max} --confirm 2', 'DELETE /contacts/{Cy}', 'DELETE /contacts/{Max}'],
  ['locations delete Depot --yes', 'DELETE /locations/{Depot}'],
  ['parking spots update A3 --notes dry', 'PATCH /parking/spots/{A3} {"notes":"dry"}'],
  [
    'parking assignments create --car Greta --spot A3',
    'POST /parking/assignments {"carId":"{Greta}","parkingSpotId":"{A3}"}',
  ],
  [
    'appointments create --type drop_off --at 2026-06-01T09:00:00Z --for 45m --car Ferdi',
    'POST /appointments {"eventTypeId":"{drop_off}","startAt":"2026-06-01T09:00:00.000Z","carId":"{Ferdi}","endAt":"2026-06-01T09:45:00.000Z"}',
  ],
  ['appointments check-in Ferdi', `PATCH /appointments/{Ferdi's pick-up} {"status":"checked_in"}`],
  ['appointments cancel Ferdi', `PATCH /appointments/{Ferdi's pick-up} {"status":"cancelled"}`],
  [
    "appointments approve {Ann's visit}",
    `PATCH /appointments/{Ann's visit} {"status":"scheduled"}`,
  ],
  [
    "threads messages send 'Winter storage' --body ok",
    'POST /communications/threads/{Winter storage}/messages {"direction":"outbound","body":"ok"}',
  ],
  [
    'threads messages update Keys {Keys 1} --external-id 007',
    'PATCH /communications/threads/{Keys}/messages/{Keys 1} {"externalId":"007"}',
  ],
  [
    'campaigns schedule Spring --at 2090-06-01T09:00:00Z --confirm Spring',
    'PATCH /marketing/campaigns/{Spring} {"status":"scheduled","scheduledAt":"2090-06-01T09:00:00.000Z"}',
  ],
  [
    'campaigns resume Autumn --confirm Autumn',
    'PATCH /marketing/campaigns/{Autumn} {"status":"sending"}',
  ],
  [
    'campaigns audiences update Spring Everyone --name Guests',
    'PATCH /marketing/campaigns/{Spring}/audiences/{Spring audience} {"name":"Guests"}',
  ],
  [
    'campaigns audiences delete Spring Everyone --yes',
    'DELETE /marketing/campaigns/{Spring}/audiences/{Spring audience}',
  ],
  [
    'campaigns content delete Spring Hello --yes',
    'DELETE /marketing/campaigns/{Spring}/content/{Spring step}',
  ],
  [
    'templates prune --channel sms --confirm 2',
    'DELETE /marketing/templates/{Receipt}',
    'DELETE /marketing/templates/{Reminder}',
  ],
  ['forms publish Feedback', 'PATCH /marketing/forms/{Feedback} {"status":"published"}'],
  [
    "forms submissions create Feedback --answer rating=4 --customer 'Bob Ray'",
    'POST /marketing/forms/{Feedback}/submissions {"customerId":"{Bob}","data":{"rating":4}}',
  ],
  [
    "social-events rsvps create 'Open day' --rsvp-option Sure --invite guest@example.com --party-size 2",
    'POST /marketing/social-events/{Open day}/rsvps {"rsvpOptionId":"{Open day sure}","inviteId":"{Open day invite}","partySize":2}',
  ],
  [
    "social-events rsvps update 'Open day' 'Ada King' --notes vegan",
    'PATCH /marketing/social-events/{Open day}/rsvps/{Open day reply} {"notes":"vegan"}',
  ],
  ['assets upload photo.png', 'POST /marketing/assets'],
  [
    'asset-folders update Empty --parent Pictures',
    'PATCH /marketing/asset-folders/{Empty} {"parentId":"{Pictures}"}',
  ],
  ["contacts update 'Cy Doe' --phone 123", 'PATCH /contacts/{Cy} {"phone":"123"}'],
  [
    'templates update Welcome --subject Hi',
    'PATCH /marketing/templates/{Welcome} {"subject":"Hi"}',
  ],
  [
    "social-accounts update 'Our page' --handle @us",
    'PATCH /marketing/social-accounts/{Our page} {"handle":"@us"}',
  ],
  [
    'assets update hall.png --folder Empty --alt-text Hall',
    'PATCH /marketing/assets/{hall.png} {"folderId":"{Empty}","altText":"Hall"}',
  ],
  [
    'parking assignments update Ferdi --notes wet',
    `PATCH /parking/assignments/{Ferdi's parking} {"notes":"wet"}`,
  ],
  [
    'import cars cars.ndjson --upsert-by licensePlate',
    'PATCH /cars/{Ferdi} {"year":1981,"make":"Fiat","model":"127","licensePlate":"HH-F 12"}',
  ],
  ['api PATCH /cars/{Ferdi} -f color=red', 'PATCH /cars/{Ferdi} {"color":"red"}'],
];

let folder: string;
beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'photo.png'), png(7));
  await writeFile(
    join(folder, 'cars.ndjson'),
    '{"year":1981,"make":"Fiat","model":"127","licensePlate":"HH-F 12"}\n',
  );
});
afterAll(() => removeFolder(folder));

let facility: OtherFacility;
beforeAll(async () => {
  facility = await openOther();
});
afterAll(() => facility.close());

test.each(lines)('cs %s', async (line, ...asked) => {
  await facility.reset();
  const { code, told } = await runOn(facility, line, { cwd: folder });
  // Neither the content of a file nor the time of the run is of interest here.
  const sent = facility
    .writes()
    .map((write) => write.replace(/(photos|assets) \{.*/, '$1').replace(timeOfRun, ''));
  expect({ sent, code, told: code === 0 ? '' : told }).toEqual({ sent: asked, code: 0, told: '' });
});

const timeOfRun = /,"(occurredAt|startedAt)":"[^"]+"/;
