/** Command lines that read, and the records that they must show on every server. */
import type { VariationName } from './servers.ts';
import { type Refused, untoldCar, untoldEnd } from './writes.ts';

export interface ReadCase {
  readonly line: string;
  /** The names of the records, in any order. */
  readonly shows: readonly string[];
  readonly specified?: true;
  /** It names a car by anything but its id. */
  readonly namesCar?: true;
  /** It filters by times. */
  readonly comparesTimes?: true;
  /** It is refused on every server. */
  readonly refused?: Refused;
  readonly except?: Readonly<Partial<Record<VariationName, Refused>>>;
}

const cars = ['Emma', 'Ferdi', 'Greta', 'Otto'];
const visits = [
  "Otto's pick-up",
  "Ferdi's pick-up",
  "Greta's drop-off",
  "Ann's visit",
  "Emma's pick-up",
];
const ofToday = ["Ferdi's pick-up", "Greta's drop-off", "Emma's pick-up"];
const templates = ['Receipt', 'Reminder', 'Winter', 'Welcome', 'Post'];

const untold: Refused = {
  code: 9,
  says: /gives no sign whether it applies customerId: its records don't tell[\s\S]*leave out the filter/,
};
const untoldCarId: Refused = { code: 9, says: /gives no sign whether it applies carId/ };
const untoldScope: Refused = { code: 9, says: /gives no sign whether it applies scope/ };
const lacksSessions = /has no GET \/event-sessions/;
const untoldActive: Refused = { code: 9, says: /gives no sign whether it applies active/ };

export const reads: readonly ReadCase[] = [
  { line: 'cars list', shows: cars, specified: true },
  { line: 'cars list --all', shows: cars, specified: true },
  { line: 'api /cars', shows: cars, specified: true },
  { line: 'api /cars --all', shows: cars, specified: true },
  { line: 'api /marketing/templates --all', shows: templates },
  { line: 'cars list --ids {Otto},{Emma}', shows: ['Otto', 'Emma'], specified: true },
  {
    line: 'cars list --updated-after 2026-05-05T11:00:00Z',
    shows: cars,
    specified: true,
    comparesTimes: true,
  },
  { line: 'cars list --updated-after 2026-06-01T00:00:00Z', shows: [], specified: true },
  {
    line: 'cars list --customer {Bob}',
    shows: ['Ferdi'],
    specified: true,
    except: { 'four fields of a car': untold },
  },
  { line: 'cars get Ferdi', shows: ['Ferdi'], namesCar: true, specified: true },
  { line: 'cars get {Ferdi}', shows: ['Ferdi'], specified: true },
  { line: 'cars events list {Emma}', shows: ["Emma's drop-off"] },
  { line: "cars events get Emma {Emma's drop-off}", shows: ["Emma's drop-off"], namesCar: true },
  { line: 'cars photos get Emma front.jpg', shows: ["Emma's photo"], namesCar: true },
  { line: 'cars photos list Emma', shows: ["Emma's photo"], namesCar: true },
  { line: 'customers list', shows: ['Ann', 'Bob'], specified: true },
  { line: 'customers list --email bob@example.com', shows: ['Bob'], specified: true },
  { line: "customers get 'Ann Lee'", shows: ['Ann'] },
  { line: 'customers list --q ray', shows: ['Bob'], specified: true },
  { line: 'templates list --q win', shows: ['Winter'] },
  { line: 'contacts list', shows: ['Cy', 'Max'] },
  { line: 'contacts list --customer {Ann}', shows: ['Max'] },
  { line: "contacts get 'Cy Doe'", shows: ['Cy'] },
  { line: 'locations list', shows: ['Harbour', 'Depot'] },
  { line: 'locations get Depot', shows: ['Depot'] },
  {
    line: 'event-types list',
    shows: ['drop_off', 'pick_up', 'interior_cleaning', 'customer_visit'],
    specified: true,
  },
  {
    line: 'event-types list --scope customer',
    shows: ['customer_visit'],
    specified: true,
    except: { 'event types without scope and config': untoldScope },
  },
  { line: 'event-types get drop_off', shows: ['drop_off'] },
  { line: 'parking zones list', shows: ['Hall A', 'Hall B'] },
  { line: "parking zones get 'Hall A'", shows: ['Hall A'] },
  { line: 'parking spots list', shows: ['A1', 'A2', 'A3', 'A4'] },
  { line: 'parking spots get A2', shows: ['A2'] },
  {
    line: 'parking assignments list --active',
    shows: ["Emma's parking", "Ferdi's parking", "Otto's parking"],
    except: {
      'assignments alone, without their end': untoldActive,
      'leaves out null': untoldActive,
      'the zero time in place of null': untoldActive,
    },
  },
  {
    line: 'parking assignments list --car Ferdi',
    shows: ["Ferdi's parking"],
    namesCar: true,
    except: {
      'assignments without their car': untoldCarId,
      'assignments alone, without their car': untoldCarId,
    },
  },
  {
    line: 'parking assignments get Ferdi',
    shows: ["Ferdi's parking"],
    namesCar: true,
    except: {
      'assignments without their car': untoldCar,
      'assignments alone, without their car': untoldCar,
      'assignments alone, without their end': untoldEnd,
      'leaves out null': untoldEnd,
      'the zero time in place of null': untoldEnd,
    },
  },
  { line: 'appointments list', shows: visits },
  { line: 'appointments list --date today', shows: ofToday, comparesTimes: true },
  { line: 'appointments list --car Ferdi', shows: ["Ferdi's pick-up"], namesCar: true },
  {
    line: "appointments list --customer 'Ann Lee' --status scheduled",
    shows: ["Greta's drop-off", "Emma's pick-up"],
  },
  {
    line: 'appointments list --start-from 2026-05-07T00:00:00Z',
    shows: ["Ann's visit", "Otto's pick-up"],
    comparesTimes: true,
  },
  { line: 'appointments get Ferdi', shows: ["Ferdi's pick-up"], namesCar: true },
  { line: 'threads list', shows: ['Winter storage', 'Keys'] },
  { line: 'threads get Keys', shows: ['Keys'] },
  { line: 'threads messages list Keys', shows: ['Keys 1'] },
  { line: 'threads messages get Keys {Keys 1}', shows: ['Keys 1'] },
  { line: 'campaigns audiences get Spring Everyone', shows: ['Spring audience'] },
  { line: 'campaigns content get Spring Hello', shows: ['Spring step'] },
  { line: 'campaigns sends get Spring {Spring send}', shows: ['Spring send'] },
  { line: 'campaigns list', shows: ['Spring', 'Summer', 'Autumn'] },
  { line: 'campaigns get Spring', shows: ['Spring'] },
  { line: 'campaigns audiences list Spring', shows: ['Spring audience'] },
  { line: 'campaigns content list Spring', shows: ['Spring step'] },
  { line: 'campaigns sends list Spring', shows: ['Spring send'] },
  { line: 'templates list', shows: templates },
  { line: 'templates get Winter', shows: ['Winter'] },
  { line: 'forms list', shows: ['Feedback', 'Waiting list'] },
  { line: 'forms get Feedback', shows: ['Feedback'] },
  { line: 'forms submissions list Feedback', shows: ['Feedback answer'] },
  { line: 'social-events list', shows: ['Autumn drive', 'Open day'] },
  { line: "social-events get 'Open day'", shows: ['Open day'] },
  { line: "social-events options list 'Open day'", shows: ['Open day yes'] },
  { line: "social-events invites list 'Open day'", shows: ['Open day invite'] },
  { line: "social-events rsvps list 'Open day'", shows: ['Open day reply'] },
  { line: 'forms submissions get Feedback {Feedback answer}', shows: ['Feedback answer'] },
  { line: "social-events options get 'Open day' Yes", shows: ['Open day yes'] },
  { line: "social-events invites get 'Open day' guest@example.com", shows: ['Open day invite'] },
  { line: "social-events rsvps get 'Open day' 'Ada King'", shows: ['Open day reply'] },
  { line: "social-accounts get 'Our page'", shows: ['Our page'] },
  { line: 'assets get hall.png', shows: ['hall.png'] },
  { line: 'sessions list --car {Emma}', shows: [], refused: { code: 9, says: lacksSessions } },
  { line: 'sessions get Emma', shows: [], refused: { code: 9, says: lacksSessions } },
  { line: 'social-posts list', shows: ['Soon'] },
  { line: 'social-posts get {Soon}', shows: ['Soon'] },
  { line: 'social-accounts list', shows: ['Our page'] },
  { line: 'assets list', shows: ['hall.png'] },
  { line: 'asset-folders list', shows: ['Pictures', 'Empty'] },
  { line: 'asset-folders get Pictures', shows: ['Pictures'] },
  { line: 'calendar list --from 2026-05-01 --to 2026-05-31', shows: ['Item'], comparesTimes: true },
  { line: 'calendar list --from 2026-05-10 --to 2026-05-31', shows: [], comparesTimes: true },
];
