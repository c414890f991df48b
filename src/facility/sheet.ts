/** The hand-over sheet of a car: one HTML page for A4. */
import type { RecordFor } from '../contract/contract.ts';
import { type Car, carName, titleOf } from './car-names.ts';
import { customerName } from './customer-name.ts';
import { compareNaturally } from './natural.ts';
import { stemOf } from './photo-checklist.ts';
import { type PlaceRecords, whereIs } from './places.ts';
import { withoutTakenBack } from './taken-back.ts';

export interface SheetPhoto {
  readonly name: string;
  /** Its address; undefined for a picture that can't be shown. */
  readonly src: string | undefined;
}
export interface SheetVisit {
  /** `Drop-off`, with its time. */
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly photos: readonly SheetPhoto[];
}
/** Rows without a value are left out. */
export type Fact = readonly [label: string, value: unknown];
export interface Sheet {
  readonly title: string;
  readonly facility: readonly string[];
  readonly facts: readonly Fact[];
  /** One, or the one before and the one after. */
  readonly visits: readonly SheetVisit[];
  /** Such as when it was made. */
  readonly foot: string;
  /** Where its pictures come from: in the page itself, or from its server. */
  readonly pictures?: 'data:' | "'self'";
  /** On a screen alone. */
  readonly link?: { readonly text: string; readonly href: string };
}

type Event = RecordFor<'carEvents'>;
type Photo = RecordFor<'carPhotos'>;

interface SheetRecords extends PlaceRecords {
  readonly car: Car;
  readonly owner?: RecordFor<'customers'> | undefined;
  readonly types?: readonly RecordFor<'eventTypes'>[] | undefined;
  /** One event, or the one before and the one after. */
  readonly visits: readonly { readonly event: Event; readonly photos: readonly SheetPhoto[] }[];
  readonly now: Date;
  /** In the zone of the location, if it is known. */
  readonly timeText: (iso: string, timeZone: string | undefined) => string;
}

/** What isn't known of owner, places and types is left out. */
export function sheetOf(records: SheetRecords): Sheet {
  const { car, owner, types, visits, locations, now } = records;
  const placeOf = (one: Pick<Car, 'parkingSpotId' | 'parkingZoneId'>): string => {
    const { spot, zone, location } = whereIs(records, one);
    return [spot?.name, zone?.name, location?.name].filter(Boolean).join(' · ');
  };
  const sites = [...visits.map(({ event }) => event), car].map(
    (one) => whereIs(records, one).location,
  );
  const location = sites.find(Boolean) ?? locations?.get(car.locationId ?? '');
  const at = (iso: string) => records.timeText(iso, location?.timezone);
  const { line1, line2, postalCode, city, country } = location?.address ?? {};
  const address = [line1, line2, [postalCode, city].filter(Boolean).join(' '), country];
  const nameOf = ({ activityType }: Event) =>
    types?.find(({ value }) => value === activityType)?.name ??
    activityType.charAt(0).toUpperCase() + activityType.slice(1).replaceAll('_', ' ');
  return {
    title: titleOf(car),
    facility: [
      location?.name ?? 'Hand-over sheet',
      ...address,
      location?.phone,
      location?.email,
    ].filter((line) => typeof line === 'string' && line !== '') as string[],
    facts: [
      ['Car', carName(car)],
      ['Plate', car.licensePlate],
      ['VIN', car.vin],
      ['Colour', car.color],
      [
        'Owner',
        owner && [customerName(owner), owner.phone, owner.email].filter(Boolean).join(' · '),
      ],
      ['Mileage', car.mileage ?? '________________'],
      ['Place', placeOf(car)],
      ['Notes', car.notes],
    ],
    visits: visits.map(({ event, photos }) => ({
      title: `${nameOf(event)}, ${at(event.occurredAt)}`,
      facts: [
        ['Place', placeOf(event)],
        ['Notes', event.notes],
      ],
      photos,
    })),
    foot: `Made on ${at(now.toISOString())}`,
  };
}

const newestFirst = (events: readonly Event[]): Event[] => {
  const timeOf = ({ occurredAt, createdAt }: Event) =>
    Date.parse(occurredAt ?? createdAt ?? '') || 0;
  return events.toSorted((a, b) => timeOf(b) - timeOf(a));
};

/** The event of a sheet (default: the last one), and those before it, newest first: without what was taken back, unless it is asked for. */
export function eventOf(events: readonly Event[], id?: string) {
  const all = newestFirst(events);
  const last = withoutTakenBack(all);
  const event = id === undefined ? last[0] : all.find((one) => one.id === id);
  const earlier = new Set(event && all.slice(all.indexOf(event) + 1));
  return { event, before: last.filter((one) => earlier.has(one)) };
}

export const inOrder = <P extends Pick<Photo, 'filename'>>(photos: readonly P[]): P[] =>
  photos.toSorted((a, b) => compareNaturally(a.filename ?? '', b.filename ?? ''));

export function sheetHtml({
  title,
  facility,
  facts,
  visits,
  foot,
  pictures = 'data:',
  link,
}: Sheet): string {
  const [name = '', ...address] = facility;
  const isPair = visits.length > 1;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src ${pictures}; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${asText(title)}</title>
<style>${styles}</style>
</head>
<body>${link ? `\n<nav><a href="${asText(link.href)}">${asText(link.text)}</a></nav>` : ''}
<header><div><b>${asText(name)}</b>${address.map((line) => `<br>${asText(line)}`).join('')}</div>
<h1>${asText(title)}</h1></header>
${factList(facts)}
<div class="visits${isPair ? ' pair' : ''}">
${visits.map(({ title, facts }) => `<section><h2>${asText(title)}</h2>${factList(facts)}</section>`).join('\n')}
</div>
${isPair ? pairs(visits) : gallery(visits[0]?.photos ?? [])}
<div class="signatures">${['Handed over by', 'Received by']
    .map((role) => `<div><p></p>${role}: name, date, signature</div>`)
    .join('')}</div>
<footer>${asText(foot)}</footer>
</body>
</html>
`;
}

const factList = (facts: readonly Fact[]): string => {
  const rows = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return `<dl>${rows.map(([label, value]) => `<dt>${asText(label)}</dt><dd>${asText(value)}</dd>`).join('')}</dl>`;
};

const figure = (photo: SheetPhoto | undefined): string => {
  if (!photo) return '<figure class="none">no photo</figure>';
  const { name, src } = photo;
  const picture = src ? `<img alt="" src="${asText(src)}">` : "<p>This picture can't be shown.</p>";
  return `<figure>${picture}<figcaption>${asText(name)}</figcaption></figure>`;
};

const gallery = (photos: readonly SheetPhoto[]): string =>
  photos.length === 0
    ? '<p class="none">No photos.</p>'
    : `<div class="photos">${photos.map(figure).join('\n')}</div>`;

/** The photos of two visits, beside each other where they have one name, in any case and format. */
function pairs(visits: readonly SheetVisit[]): string {
  const names = new Set(visits.flatMap(({ photos }) => photos.map(({ name }) => stemOf(name))));
  const rows = [...names].flatMap((name) => {
    const [before = [], after = []] = visits.map(({ photos }) =>
      photos.filter((photo) => stemOf(photo.name) === name),
    );
    const count = Math.max(before.length, after.length);
    return Array.from({ length: count }, (_, at) => figure(before[at]) + figure(after[at]));
  });
  return rows.length === 0
    ? '<p class="none">No photos.</p>'
    : `<div class="photos two">${rows.join('\n')}</div>`;
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** As text, whatever it is; without marks that turn the direction of what follows. */
export const asText = (value: unknown): string =>
  String(value)
    .replace(/[&<>"']/g, (sign) => signs[sign] as string)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd');

const styles = `
@page { size: A4; margin: 14mm }
* { box-sizing: border-box }
body { font: 10pt/1.4 system-ui, sans-serif; color: #111; background: #fff; max-width: 182mm; margin: 0 auto; overflow-wrap: anywhere }
header { display: flex; justify-content: space-between; gap: 8mm; border-bottom: 2px solid #111; padding-bottom: 3mm; margin-bottom: 4mm }
h1 { font-size: 20pt; line-height: 1.1; margin: 0; text-align: right }
h2 { font-size: 12pt; margin: 3mm 0 1mm }
dl { display: grid; grid-template-columns: 30mm 1fr; margin: 0; gap: 0 3mm }
dt { color: #555 }
dd { margin: 0; white-space: pre-wrap }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 6mm }
.pair dl { grid-template-columns: 20mm 1fr }
.photos { display: grid; grid-template-columns: repeat(3, 1fr); gap: 3mm; margin-top: 4mm }
.photos.two { grid-template-columns: 1fr 1fr }
figure { margin: 0; break-inside: avoid; text-align: center }
figure img { width: 100%; height: 42mm; object-fit: contain; background: #f2f2f2 }
.two img { height: 62mm }
figcaption { font-size: 8pt }
.none, figure p { color: #777; padding: 8mm 0; margin: 0; text-align: center; border: 1px dashed #bbb }
.signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 12mm; margin-top: 10mm; break-inside: avoid }
.signatures p { height: 16mm; margin: 0; border-bottom: 1px solid #111 }
nav { padding: 3mm 0 }
@media print { nav { display: none } }
footer { margin-top: 6mm; font-size: 8pt; color: #555 }
`;
