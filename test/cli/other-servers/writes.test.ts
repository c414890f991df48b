/**
 * Every command that writes, once on a server that knows the specification alone. The log of writes that the server got is compared with
 * what was asked. On our own service, test/cli/every-resource.test.ts and the tests of each command show it.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { liveTree } from '../../../src/cli/commands/catalogue.ts';
import { serverCommands } from '../../../src/cli/commands/doctor/command-needs.ts';
import { contract } from '../../../src/contract/contract.ts';
import { walk } from '../../../src/contract/operations.ts';
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
  [
    'cars create --year 1980 --make BMW --model M1',
    'POST /cars {"year":1980,"make":"BMW","model":"M1"}',
  ],
  ['cars update HH-F12 --color red', 'PATCH /cars/{Ferdi} {"color":"red"}'],
  ["cars update Greta --customer 'Bob Ray'", 'PATCH /cars/{Greta} {"customerId":"{Bob}"}'],
  [
    'cars update --ids {Greta},{Otto} --color red',
    'PATCH /cars/{Greta} {"color":"red"}',
    'PATCH /cars/{Otto} {"color":"red"}',
  ],
  [
    'cars events log Ferdi --type interior_cleaning',
    'POST /cars/{Ferdi}/events {"activityType":"interior_cleaning"}',
  ],
  ['cars photos add {Ferdi} photo.png', 'POST /cars/{Ferdi}/photos'],
  ['cars photos delete Emma front.png --yes', "DELETE /cars/{Emma}/photos/{Emma's photo}"],
  ['customers create --first-name Zoe', 'POST /customers {"firstName":"Zoe"}'],
  ["customers update 'Bob Ray' --clear externalId", 'PATCH /customers/{Bob} {"externalId":null}'],
  [
    "contacts create --first-name Joe --last-name Fox --customer 'Bob Ray'",
    'POST /contacts {"customerId":"{Bob}","firstName":"Joe","lastName":"Fox"}',
  ],
  ["contacts update 'Cy Doe' --phone 123", 'PATCH /contacts/{Cy} {"phone":"123"}'],
  ['contacts delete {Cy} {Max} --confirm 2', 'DELETE /contacts/{Cy}', 'DELETE /contacts/{Max}'],
  ['locations create --name Yard', 'POST /locations {"name":"Yard"}'],
  ['locations update Depot --notes far', 'PATCH /locations/{Depot} {"notes":"far"}'],
  ['locations delete Depot --yes', 'DELETE /locations/{Depot}'],
  [
    "parking zones create --location Harbour --name 'Hall C'",
    'POST /parking/zones {"locationId":"{Harbour}","name":"Hall C"}',
  ],
  ["parking zones update 'Hall A' --notes dry", 'PATCH /parking/zones/{Hall A} {"notes":"dry"}'],
  [
    'parking spots create --location Depot --name B1',
    'POST /parking/spots {"locationId":"{Depot}","name":"B1"}',
  ],
  ['parking spots update A3 --notes dry', 'PATCH /parking/spots/{A3} {"notes":"dry"}'],
  [
    'parking assignments create --car Greta --spot A3',
    'POST /parking/assignments {"carId":"{Greta}","parkingSpotId":"{A3}"}',
  ],
  [
    'parking assignments update Ferdi --notes wet',
    `PATCH /parking/assignments/{Ferdi's parking} {"notes":"wet"}`,
  ],
  [
    'appointments create --type drop_off --at 2026-06-01T09:00:00Z --for 45m --car Ferdi',
    'POST /appointments {"eventTypeId":"{drop_off}","startAt":"2026-06-01T09:00:00.000Z","carId":"{Ferdi}","endAt":"2026-06-01T09:45:00.000Z"}',
  ],
  [
    'appointments update Greta --notes soon',
    `PATCH /appointments/{Greta's drop-off} {"notes":"soon"}`,
  ],
  ['appointments check-in Ferdi', `PATCH /appointments/{Ferdi's pick-up} {"status":"checked_in"}`],
  [
    "appointments start {Otto's pick-up}",
    `PATCH /appointments/{Otto's pick-up} {"status":"in_progress"}`,
  ],
  ['appointments complete HH-F12', `PATCH /appointments/{Ferdi's pick-up} {"status":"completed"}`],
  ['appointments cancel Ferdi', `PATCH /appointments/{Ferdi's pick-up} {"status":"cancelled"}`],
  ['appointments no-show Ferdi', `PATCH /appointments/{Ferdi's pick-up} {"status":"no_show"}`],
  [
    "appointments approve {Ann's visit}",
    `PATCH /appointments/{Ann's visit} {"status":"scheduled"}`,
  ],
  ["appointments decline {Ann's visit}", `PATCH /appointments/{Ann's visit} {"status":"declined"}`],
  [
    "threads create --channel email --subject Hi --customer 'Ann Lee'",
    'POST /communications/threads {"channel":"email","subject":"Hi","customerId":"{Ann}"}',
  ],
  ['threads update Keys --subject Key', 'PATCH /communications/threads/{Keys} {"subject":"Key"}'],
  [
    'threads messages create Keys --direction internal --body ok',
    'POST /communications/threads/{Keys}/messages {"direction":"internal","body":"ok"}',
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
    'campaigns create --name June --channel email',
    'POST /marketing/campaigns {"name":"June","channel":"email"}',
  ],
  ['campaigns update Spring --name May', 'PATCH /marketing/campaigns/{Spring} {"name":"May"}'],
  [
    'campaigns schedule Spring --at 2090-06-01T09:00:00Z --confirm Spring',
    'PATCH /marketing/campaigns/{Spring} {"status":"scheduled","scheduledAt":"2090-06-01T09:00:00.000Z"}',
  ],
  [
    'campaigns send Spring --confirm Spring',
    'PATCH /marketing/campaigns/{Spring} {"status":"sending"}',
  ],
  ['campaigns pause Summer', 'PATCH /marketing/campaigns/{Summer} {"status":"paused"}'],
  [
    'campaigns resume Autumn --confirm Autumn',
    'PATCH /marketing/campaigns/{Autumn} {"status":"sending"}',
  ],
  ['campaigns cancel Summer --yes', 'PATCH /marketing/campaigns/{Summer} {"status":"cancelled"}'],
  [
    'campaigns audiences create Spring --name Guests',
    'POST /marketing/campaigns/{Spring}/audiences {"name":"Guests"}',
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
    'campaigns content create Spring --position 2 --subject Hi --template Welcome',
    'POST /marketing/campaigns/{Spring}/content {"position":2,"templateId":"{Welcome}","subject":"Hi"}',
  ],
  [
    'campaigns content update Spring Hello --subject Hi',
    'PATCH /marketing/campaigns/{Spring}/content/{Spring step} {"subject":"Hi"}',
  ],
  [
    'campaigns content delete Spring Hello --yes',
    'DELETE /marketing/campaigns/{Spring}/content/{Spring step}',
  ],
  [
    'templates create --name New --channel sms --body Hello',
    'POST /marketing/templates {"name":"New","channel":"sms","body":"Hello"}',
  ],
  [
    'templates update Welcome --subject Hi',
    'PATCH /marketing/templates/{Welcome} {"subject":"Hi"}',
  ],
  ['templates delete Welcome --yes', 'DELETE /marketing/templates/{Welcome}'],
  [
    'templates prune --channel sms --confirm 2',
    'DELETE /marketing/templates/{Receipt}',
    'DELETE /marketing/templates/{Reminder}',
  ],
  ["templates prune --name 'Win*' --confirm 1", 'DELETE /marketing/templates/{Winter}'],
  ['forms create --name Poll', 'POST /marketing/forms {"name":"Poll"}'],
  ['forms update Feedback --name Poll', 'PATCH /marketing/forms/{Feedback} {"name":"Poll"}'],
  ['forms publish Feedback', 'PATCH /marketing/forms/{Feedback} {"status":"published"}'],
  ['forms close Feedback', 'PATCH /marketing/forms/{Feedback} {"status":"closed"}'],
  [
    "forms submissions create Feedback --answer rating=4 --customer 'Bob Ray'",
    'POST /marketing/forms/{Feedback}/submissions {"customerId":"{Bob}","data":{"rating":4}}',
  ],
  [
    'forms submissions update Feedback {Feedback answer} --status reviewed',
    'PATCH /marketing/forms/{Feedback}/submissions/{Feedback answer} {"status":"reviewed"}',
  ],
  [
    'social-events create --title Tea --start-at 2090-06-01T09:00:00Z',
    'POST /marketing/social-events {"title":"Tea","startAt":"2090-06-01T09:00:00.000Z"}',
  ],
  [
    "social-events update 'Open day' --title Tea",
    'PATCH /marketing/social-events/{Open day} {"title":"Tea"}',
  ],
  ["social-events delete 'Autumn drive' --yes", 'DELETE /marketing/social-events/{Autumn drive}'],
  [
    "social-events options create 'Open day' --label No --kind declined",
    'POST /marketing/social-events/{Open day}/rsvp-options {"label":"No","kind":"declined"}',
  ],
  [
    "social-events options update 'Open day' Sure --label Certain",
    'PATCH /marketing/social-events/{Open day}/rsvp-options/{Open day sure} {"label":"Certain"}',
  ],
  [
    "social-events options delete 'Open day' Late --yes",
    'DELETE /marketing/social-events/{Open day}/rsvp-options/{Open day late}',
  ],
  [
    "social-events invites create 'Open day' --customer 'Bob Ray'",
    'POST /marketing/social-events/{Open day}/invites {"customerId":"{Bob}"}',
  ],
  [
    "social-events invites update 'Open day' guest@example.com --status cancelled",
    'PATCH /marketing/social-events/{Open day}/invites/{Open day invite} {"status":"cancelled"}',
  ],
  [
    "social-events invites delete 'Open day' guest@example.com --yes",
    'DELETE /marketing/social-events/{Open day}/invites/{Open day invite}',
  ],
  [
    "social-events rsvps create 'Open day' --rsvp-option Sure --invite guest@example.com --party-size 2",
    'POST /marketing/social-events/{Open day}/rsvps {"rsvpOptionId":"{Open day sure}","inviteId":"{Open day invite}","partySize":2}',
  ],
  [
    "social-events rsvps update 'Open day' 'Ada King' --notes vegan",
    'PATCH /marketing/social-events/{Open day}/rsvps/{Open day reply} {"notes":"vegan"}',
  ],
  ['social-posts create --body Hi', 'POST /marketing/social-posts {"body":"Hi"}'],
  [
    'social-posts update {Soon} --body Later.',
    'PATCH /marketing/social-posts/{Soon} {"body":"Later."}',
  ],
  [
    'social-accounts create --platform instagram --external-id 00123 --display-name Us',
    'POST /marketing/social-accounts {"platform":"instagram","externalId":"00123","displayName":"Us"}',
  ],
  [
    "social-accounts update 'Our page' --handle @us",
    'PATCH /marketing/social-accounts/{Our page} {"handle":"@us"}',
  ],
  ['assets upload photo.png', 'POST /marketing/assets'],
  [
    'assets update hall.png --folder Empty --alt-text Hall',
    'PATCH /marketing/assets/{hall.png} {"folderId":"{Empty}","altText":"Hall"}',
  ],
  ['assets delete hall.png --yes', 'DELETE /marketing/assets/{hall.png}'],
  ['asset-folders create --name New', 'POST /marketing/asset-folders {"name":"New"}'],
  [
    'asset-folders update Empty --parent Pictures',
    'PATCH /marketing/asset-folders/{Empty} {"parentId":"{Pictures}"}',
  ],
  ['asset-folders delete Empty --yes', 'DELETE /marketing/asset-folders/{Empty}'],
  ['import cars cars.ndjson', 'POST /cars {"year":1981,"make":"Fiat","model":"127"}'],
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
});
afterAll(() => removeFolder(folder));

test('each command that writes has a line', async () => {
  const writing = new Set(
    [...walk(contract)].filter((one) => one.method !== 'GET').map(({ id }) => id),
  );
  const commands = (await serverCommands(liveTree)).filter(({ operations }) =>
    operations.some((id) => writing.has(id)),
  );
  const hasLine = (command: string) =>
    lines.some(([line]) => `cs ${line} `.startsWith(`${command} `));
  expect(commands.map(({ name }) => name).filter((name) => !hasLine(name))).toEqual([]);
});

let facility: OtherFacility;
beforeAll(async () => {
  facility = await openOther();
});
afterAll(() => facility.close());

test.each(lines)('cs %s', async (line, ...asked) => {
  await facility.reset();
  const plate = line.includes('--upsert-by') ? ',"licensePlate":"HH-F 12"' : '';
  await writeFile(
    join(folder, 'cars.ndjson'),
    `{"year":1981,"make":"Fiat","model":"127"${plate}}\n`,
  );
  const { code, told } = await runOn(facility, line, { cwd: folder });
  // Neither the content of a file nor the time of the run is of interest here.
  const sent = facility
    .writes()
    .map((write) => write.replace(/(photos|assets) \{.*/, '$1').replace(timeOfRun, ''));
  expect({ sent, code, told: code === 0 ? '' : told }).toEqual({ sent: asked, code: 0, told: '' });
});

const timeOfRun = /,"(occurredAt|startedAt)":"[^"]+"/;
