/** Command lines that write, and the requests that they must send on every server. */
import type { VariationName } from './servers.ts';

/** It changes nothing, and ends with this error. */
export interface Refused {
  readonly code: number;
  readonly says: RegExp;
}

export interface Case {
  /** `{Emma}` stands for an id. */
  readonly line: string;
  /** The only writes, in order. Where `types` of events vary, `drop_off` stands for the server's word. */
  readonly sends: readonly string[];
  /** The specification shows every request that it needs. */
  readonly specified?: true;
  /** It is refused on every server. */
  readonly refused?: Refused;
  readonly except?: Readonly<Partial<Record<VariationName, Refused>>>;
}

const unfiltered: Refused = { code: 9, says: /gives no sign whether it applies channel/ };
export const untoldUse: Refused = {
  code: 11,
  says: /Kept \d templates whose last use this server doesn't tell/,
};
const untoldType: Refused = {
  code: 14,
  says: /doesn't tell the event type of 1 open appointment of today/,
};
const unconfirmed: Refused = { code: 2, says: /This would start the campaign Spring\. Confirm/ };
const untoldRelease: Refused = {
  code: 2,
  says: /No event type of this server says that it frees the place[\s\S]*--type pick_up/,
};
export const untoldCar: Refused = { code: 9, says: /gives no sign whether it applies carId/ };
export const untoldEnd: Refused = { code: 9, says: /gives no sign whether it applies active/ };
const otherCar: Refused = {
  code: 3,
  says: /The appointment \S+ is for (another|no) car\. Nothing was stored/,
};
const refusesAppointment: Refused = {
  code: 3,
  says: /appointmentId is beyond the specification: if this server refuses it, leave out --appointment/,
};

export const writes: readonly Case[] = [
  {
    line: 'appointments cancel Ferdi',
    sends: [`PATCH /appointments/{Ferdi's pick-up} {"status":"cancelled"}`],
  },
  {
    line: 'appointments complete HH-F12',
    sends: [`PATCH /appointments/{Ferdi's pick-up} {"status":"completed"}`],
  },
  {
    line: "appointments start {Otto's pick-up}",
    sends: [`PATCH /appointments/{Otto's pick-up} {"status":"in_progress"}`],
  },
  {
    line: "appointments approve {Ann's visit}",
    sends: [`PATCH /appointments/{Ann's visit} {"status":"scheduled"}`],
  },
  {
    line: 'appointments update Greta --notes soon',
    sends: [`PATCH /appointments/{Greta's drop-off} {"notes":"soon"}`],
  },
  {
    line: 'appointments create --type drop_off --at 2026-06-01T09:00:00Z --for 45m --car Ferdi',
    sends: [
      'POST /appointments {"eventTypeId":"{drop_off}","startAt":"2026-06-01T09:00:00.000Z","carId":"{Ferdi}","endAt":"2026-06-01T09:45:00.000Z"}',
    ],
    specified: true,
  },
  {
    line: 'dropoff --car Greta --type drop_off --spot A3 --yes',
    sends: ['POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}"}'],
  },
  {
    line: 'dropoff --car {Greta} --type drop_off --spot {A3} --yes',
    sends: ['POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}"}'],
    specified: true,
  },
  {
    line: "dropoff --car Greta --type drop_off --zone 'Hall A' --yes",
    sends: ['POST /cars/{Greta}/events {"activityType":"drop_off","parkingZoneId":"{Hall A}"}'],
  },
  {
    line: 'dropoff --car Greta --type drop_off --spot A3 --appointment today --yes',
    sends: [
      `POST /cars/{Greta}/events {"activityType":"drop_off","parkingSpotId":"{A3}","appointmentId":"{Greta's drop-off}"}`,
    ],
    except: {
      'refuses unknown fields': refusesAppointment,
      'appointment types of its own': untoldType,
    },
  },
  {
    line: 'pickup Ferdi --yes',
    sends: ['POST /cars/{Ferdi}/events {"activityType":"pick_up"}'],
    specified: true,
    except: {
      'no type that frees a place': untoldRelease,
      'event types without scope and config': untoldRelease,
    },
  },
  {
    line: 'pickup Ferdi --type pick_up --yes',
    sends: ['POST /cars/{Ferdi}/events {"activityType":"pick_up"}'],
    specified: true,
  },
  {
    line: 'pickup {Ferdi} --type pick_up --yes',
    sends: ['POST /cars/{Ferdi}/events {"activityType":"pick_up"}'],
    specified: true,
  },
  {
    line: 'pickup Ferdi --type pick_up --appointment today --yes',
    sends: [
      `POST /cars/{Ferdi}/events {"activityType":"pick_up","appointmentId":"{Ferdi's pick-up}"}`,
    ],
    except: {
      'refuses unknown fields': refusesAppointment,
      'appointment types of its own': untoldType,
    },
  },
  {
    line: "pickup Ferdi --type pick_up --appointment {Emma's pick-up} --yes",
    sends: [],
    refused: otherCar,
  },
  {
    line: "dropoff --car Greta --type drop_off --spot A3 --appointment {Ann's visit} --yes",
    sends: [],
    refused: otherCar,
  },
  {
    line: 'move Ferdi --spot A3',
    sends: ['POST /parking/assignments {"carId":"{Ferdi}","parkingSpotId":"{A3}"}'],
  },
  {
    line: 'move {Ferdi} --spot {A3}',
    sends: ['POST /parking/assignments {"carId":"{Ferdi}","parkingSpotId":"{A3}"}'],
  },
  {
    line: 'parking assignments update Ferdi --ended-at 2026-05-05T11:00:00Z',
    sends: [`PATCH /parking/assignments/{Ferdi's parking} {"endedAt":"2026-05-05T11:00:00.000Z"}`],
    except: {
      'assignments without their car': untoldCar,
      'assignments alone, without their car': untoldCar,
      'assignments alone, without their end': untoldEnd,
      'leaves out null': untoldEnd,
      'the zero time in place of null': untoldEnd,
    },
  },
  {
    line: 'parking assignments create --car Greta --spot A3',
    sends: ['POST /parking/assignments {"carId":"{Greta}","parkingSpotId":"{A3}"}'],
  },
  {
    line: 'parking spots update A3 --notes dry',
    sends: ['PATCH /parking/spots/{A3} {"notes":"dry"}'],
  },
  {
    line: "parking zones update 'Hall A' --notes dry",
    sends: ['PATCH /parking/zones/{Hall A} {"notes":"dry"}'],
  },
  {
    line: 'templates prune --channel sms --confirm 2',
    sends: ['DELETE /marketing/templates/{Reminder}', 'DELETE /marketing/templates/{Receipt}'],
    except: {
      'lacks optional fields': unfiltered,
      'null in optional fields': unfiltered,
      'lacks optional fields and ignores filters': unfiltered,
      'lacks optional fields and refuses filters': unfiltered,
    },
  },
  {
    line: 'templates prune --unused-for 90d --confirm 2',
    sends: ['DELETE /marketing/templates/{Reminder}', 'DELETE /marketing/templates/{Winter}'],
    except: {
      'lacks optional fields': untoldUse,
      'null in optional fields': untoldUse,
      'lacks optional fields and ignores filters': untoldUse,
      'lacks optional fields and refuses filters': untoldUse,
    },
  },
  {
    line: "templates prune --name 'W*' --unused-for 90d --confirm 1",
    sends: ['DELETE /marketing/templates/{Winter}'],
    except: {
      'lacks optional fields': untoldUse,
      'null in optional fields': untoldUse,
      'lacks optional fields and ignores filters': untoldUse,
      'lacks optional fields and refuses filters': untoldUse,
    },
  },
  {
    line: 'dropoff --car {Greta} --type {drop_off} --zone {Hall A} --yes',
    sends: ['POST /cars/{Greta}/events {"activityType":"drop_off","parkingZoneId":"{Hall A}"}'],
    specified: true,
  },
  {
    line: 'templates delete {Welcome} --yes',
    sends: ['DELETE /marketing/templates/{Welcome}'],
    specified: true,
  },
  {
    line: 'contacts delete {Cy} {Max} --confirm 2',
    sends: ['DELETE /contacts/{Cy}', 'DELETE /contacts/{Max}'],
    specified: true,
  },
  {
    line: 'locations delete {Depot} --hard --yes',
    sends: ['DELETE /locations/{Depot}'],
    specified: true,
  },
  {
    line: 'social-events delete {Open day} --yes',
    sends: ['DELETE /marketing/social-events/{Open day}'],
    specified: true,
  },
  {
    line: 'campaigns content delete {Spring} {Spring step} --yes',
    sends: ['DELETE /marketing/campaigns/{Spring}/content/{Spring step}'],
    specified: true,
  },
  {
    line: 'cars photos add {Ferdi} photo.png --session {Emma}',
    sends: ['POST /cars/{Ferdi}/photos'],
    specified: true,
    except: {
      'another field for photos': {
        code: 3,
        says: /Send either image or sourceUrl[\s\S]*--photo-field[\s\S]*cs config set photo-field NAME/,
      },
    },
  },
  { line: 'templates delete Welcome --yes', sends: ['DELETE /marketing/templates/{Welcome}'] },
  {
    line: 'templates update Welcome --subject Hi',
    sends: ['PATCH /marketing/templates/{Welcome} {"subject":"Hi"}'],
  },
  {
    line: 'templates create --name New --channel sms --body Hello',
    sends: ['POST /marketing/templates {"name":"New","channel":"sms","body":"Hello"}'],
  },
  { line: "contacts delete 'Cy Doe' --yes", sends: ['DELETE /contacts/{Cy}'] },
  { line: "contacts update 'Cy Doe' --phone 123", sends: ['PATCH /contacts/{Cy} {"phone":"123"}'] },
  {
    line: "contacts create --first-name Joe --last-name Fox --customer 'Bob Ray'",
    sends: ['POST /contacts {"customerId":"{Bob}","firstName":"Joe","lastName":"Fox"}'],
  },
  { line: 'locations delete Depot --yes', sends: ['DELETE /locations/{Depot}'] },
  {
    line: 'locations update Depot --notes far',
    sends: ['PATCH /locations/{Depot} {"notes":"far"}'],
  },
  {
    line: "customers update 'Bob Ray' --notes quiet",
    sends: ['PATCH /customers/{Bob} {"notes":"quiet"}'],
  },
  {
    line: "customers update 'Bob Ray' --clear externalId",
    sends: ['PATCH /customers/{Bob} {"externalId":null}'],
  },
  { line: 'cars update HH-F12 --color red', sends: ['PATCH /cars/{Ferdi} {"color":"red"}'] },
  {
    line: "cars update Greta --customer 'Bob Ray'",
    sends: ['PATCH /cars/{Greta} {"customerId":"{Bob}"}'],
  },
  {
    line: 'cars update --ids {Greta},{Otto} --color red',
    sends: ['PATCH /cars/{Greta} {"color":"red"}', 'PATCH /cars/{Otto} {"color":"red"}'],
  },
  {
    line: 'cars events log Ferdi --type interior_cleaning',
    sends: ['POST /cars/{Ferdi}/events {"activityType":"interior_cleaning"}'],
    specified: true,
  },
  {
    line: 'cars photos delete Emma front.jpg --yes',
    sends: [`DELETE /cars/{Emma}/photos/{Emma's photo}`],
  },
  {
    line: 'threads update Keys --subject Key',
    sends: ['PATCH /communications/threads/{Keys} {"subject":"Key"}'],
  },
  {
    line: 'threads messages create Keys --direction internal --body ok',
    sends: ['POST /communications/threads/{Keys}/messages {"direction":"internal","body":"ok"}'],
  },
  {
    line: "threads messages send 'Winter storage' --body ok",
    sends: [
      'POST /communications/threads/{Winter storage}/messages {"direction":"outbound","body":"ok"}',
    ],
  },
  {
    line: "threads messages send 'Winter storage' --body ok --note",
    sends: [
      'POST /communications/threads/{Winter storage}/messages {"direction":"internal","body":"ok"}',
    ],
  },
  {
    line: 'campaigns send Spring --confirm Spring',
    sends: ['PATCH /marketing/campaigns/{Spring} {"status":"sending"}'],
  },
  {
    line: 'campaigns send {Spring} --confirm Spring',
    sends: ['PATCH /marketing/campaigns/{Spring} {"status":"sending"}'],
  },
  {
    line: 'campaigns schedule Spring --at 2026-06-01T09:00:00Z --confirm Spring',
    sends: [
      'PATCH /marketing/campaigns/{Spring} {"status":"scheduled","scheduledAt":"2026-06-01T09:00:00.000Z"}',
    ],
  },
  { line: 'campaigns update Spring --status sending', sends: [], refused: unconfirmed },
  {
    line: 'api PATCH /marketing/campaigns/{Spring} -f status=sending',
    sends: [],
    refused: unconfirmed,
  },
  {
    line: 'campaigns resume Autumn --confirm Autumn',
    sends: ['PATCH /marketing/campaigns/{Autumn} {"status":"sending"}'],
  },
  {
    line: 'campaigns update Spring --name May',
    sends: ['PATCH /marketing/campaigns/{Spring} {"name":"May"}'],
  },
  {
    line: 'campaigns cancel Summer --yes',
    sends: ['PATCH /marketing/campaigns/{Summer} {"status":"cancelled"}'],
  },
  {
    line: 'campaigns audiences delete Spring Everyone --yes',
    sends: ['DELETE /marketing/campaigns/{Spring}/audiences/{Spring audience}'],
  },
  {
    line: 'campaigns content delete Spring Hello --yes',
    sends: ['DELETE /marketing/campaigns/{Spring}/content/{Spring step}'],
  },
  {
    line: 'campaigns audiences update Spring Everyone --name Guests',
    sends: ['PATCH /marketing/campaigns/{Spring}/audiences/{Spring audience} {"name":"Guests"}'],
  },
  {
    line: 'campaigns content create Spring --position 2 --subject Hi --template Welcome',
    sends: [
      'POST /marketing/campaigns/{Spring}/content {"position":"2","templateId":"{Welcome}","subject":"Hi"}',
    ],
  },
  {
    line: 'campaigns content update Spring Hello --subject Hi',
    sends: ['PATCH /marketing/campaigns/{Spring}/content/{Spring step} {"subject":"Hi"}'],
  },
  {
    line: 'threads messages update Keys {Keys 1} --external-id 007',
    sends: ['PATCH /communications/threads/{Keys}/messages/{Keys 1} {"externalId":"007"}'],
  },
  {
    line: 'social-posts update {Soon} --body Later.',
    sends: ['PATCH /marketing/social-posts/{Soon} {"body":"Later."}'],
  },
  {
    line: "social-accounts update 'Our page' --handle @us",
    sends: ['PATCH /marketing/social-accounts/{Our page} {"handle":"@us"}'],
  },
  {
    line: 'forms close Feedback',
    sends: ['PATCH /marketing/forms/{Feedback} {"status":"closed"}'],
  },
  {
    line: 'forms submissions update Feedback {Feedback answer} --status reviewed',
    sends: [
      'PATCH /marketing/forms/{Feedback}/submissions/{Feedback answer} {"status":"reviewed"}',
    ],
  },
  {
    line: "social-events delete 'Autumn drive' --yes",
    sends: ['DELETE /marketing/social-events/{Autumn drive}'],
  },
  {
    line: "social-events invites delete 'Open day' guest@example.com --yes",
    sends: ['DELETE /marketing/social-events/{Open day}/invites/{Open day invite}'],
  },
  {
    line: "social-events options delete 'Open day' Yes --yes",
    sends: ['DELETE /marketing/social-events/{Open day}/rsvp-options/{Open day yes}'],
  },
  {
    line: "social-events rsvps update 'Open day' 'Ada King' --notes vegan",
    sends: ['PATCH /marketing/social-events/{Open day}/rsvps/{Open day reply} {"notes":"vegan"}'],
  },
  {
    line: "social-events rsvps create 'Open day' --rsvp-option Yes --invite guest@example.com --party-size 2",
    sends: [
      'POST /marketing/social-events/{Open day}/rsvps {"rsvpOptionId":"{Open day yes}","inviteId":"{Open day invite}","partySize":"2"}',
    ],
  },
  {
    line: "social-events invites create 'Open day' --customer 'Bob Ray'",
    sends: ['POST /marketing/social-events/{Open day}/invites {"customerId":"{Bob}"}'],
  },
  {
    line: "social-events invites update 'Open day' guest@example.com --status opened",
    sends: [
      'PATCH /marketing/social-events/{Open day}/invites/{Open day invite} {"status":"opened"}',
    ],
  },
  {
    line: "social-events options create 'Open day' --label No --kind not_going",
    sends: [
      'POST /marketing/social-events/{Open day}/rsvp-options {"label":"No","kind":"not_going"}',
    ],
  },
  {
    line: "social-events options update 'Open day' Yes --label Sure",
    sends: [
      'PATCH /marketing/social-events/{Open day}/rsvp-options/{Open day yes} {"label":"Sure"}',
    ],
  },
  {
    line: "social-events update 'Open day' --title Tea",
    sends: ['PATCH /marketing/social-events/{Open day} {"title":"Tea"}'],
  },
  {
    line: 'forms update Feedback --name Poll',
    sends: ['PATCH /marketing/forms/{Feedback} {"name":"Poll"}'],
  },
  {
    line: "forms submissions create Feedback --answer rating=4 --customer 'Bob Ray'",
    sends: [
      'POST /marketing/forms/{Feedback}/submissions {"customerId":"{Bob}","data":{"rating":"4"}}',
    ],
  },
  {
    line: 'assets update hall.png --folder Empty --alt-text Hall',
    sends: ['PATCH /marketing/assets/{hall.png} {"folderId":"{Empty}","altText":"Hall"}'],
  },
  {
    line: 'asset-folders update Empty --parent Pictures',
    sends: ['PATCH /marketing/asset-folders/{Empty} {"parentId":"{Pictures}"}'],
  },
  {
    line: 'social-accounts create --platform instagram --external-id 00123 --display-name Us',
    sends: [
      'POST /marketing/social-accounts {"platform":"instagram","externalId":"00123","displayName":"Us"}',
    ],
  },
  {
    line: 'cars create --year 1980 --make BMW --model M1',
    sends: ['POST /cars {"year":"1980","make":"BMW","model":"M1"}'],
  },
  { line: 'customers create --first-name Zoe', sends: ['POST /customers {"firstName":"Zoe"}'] },
  { line: 'locations create --name Yard', sends: ['POST /locations {"name":"Yard"}'] },
  {
    line: "parking zones create --location Harbour --name 'Hall C'",
    sends: ['POST /parking/zones {"locationId":"{Harbour}","name":"Hall C"}'],
  },
  {
    line: 'parking spots create --location Depot --name B1',
    sends: ['POST /parking/spots {"locationId":"{Depot}","name":"B1"}'],
  },
  {
    line: "threads create --channel email --subject Hi --customer 'Ann Lee'",
    sends: ['POST /communications/threads {"channel":"email","subject":"Hi","customerId":"{Ann}"}'],
  },
  {
    line: 'campaigns create --name June --channel email',
    sends: ['POST /marketing/campaigns {"name":"June","channel":"email"}'],
  },
  {
    line: 'campaigns audiences create Spring --name Guests',
    sends: ['POST /marketing/campaigns/{Spring}/audiences {"name":"Guests"}'],
  },
  {
    line: 'campaigns pause Summer',
    sends: ['PATCH /marketing/campaigns/{Summer} {"status":"paused"}'],
  },
  { line: 'social-posts create --body Hi', sends: ['POST /marketing/social-posts {"body":"Hi"}'] },
  {
    line: 'social-events create --title Tea --start-at 2026-06-01T09:00:00Z',
    sends: ['POST /marketing/social-events {"title":"Tea","startAt":"2026-06-01T09:00:00.000Z"}'],
  },
  { line: 'forms create --name Poll', sends: ['POST /marketing/forms {"name":"Poll"}'] },
  {
    line: 'forms publish Feedback',
    sends: ['PATCH /marketing/forms/{Feedback} {"status":"published"}'],
  },
  {
    line: 'asset-folders create --name New',
    sends: ['POST /marketing/asset-folders {"name":"New"}'],
  },
  { line: 'assets upload photo.png', sends: ['POST /marketing/assets'] },
  {
    line: "appointments decline {Ann's visit}",
    sends: [`PATCH /appointments/{Ann's visit} {"status":"declined"}`],
  },
  {
    line: 'appointments check-in Ferdi',
    sends: [`PATCH /appointments/{Ferdi's pick-up} {"status":"checked_in"}`],
  },
  {
    line: 'appointments no-show Ferdi',
    sends: [`PATCH /appointments/{Ferdi's pick-up} {"status":"no_show"}`],
  },
  { line: 'api PATCH /cars/{Ferdi} -f color=red', sends: ['PATCH /cars/{Ferdi} {"color":"red"}'] },
  {
    line: 'import cars cars.ndjson',
    sends: ['POST /cars {"year":"1981","make":"Fiat","model":"127"}'],
  },
  { line: 'assets delete hall.png --yes', sends: ['DELETE /marketing/assets/{hall.png}'] },
  { line: 'asset-folders delete Empty --yes', sends: ['DELETE /marketing/asset-folders/{Empty}'] },
];
