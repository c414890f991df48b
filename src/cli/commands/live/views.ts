/** The board and the day as views that are read again and again. */
import type { CallOptions } from '../../../client/client.ts';
import type { IdSet } from '../../../client/id-set.ts';
import { IdMap } from '../../../client/ids.ts';
import type { RecordFor } from '../../../contract/contract.ts';
import { type BoardZone, makeBoard, sortedByTitle } from '../../../facility/board.ts';
import { type Car, identityOf } from '../../../facility/car-names.ts';
import type { Context } from '../../context.ts';
import { parseDay } from '../../input/day.ts';
import { stylesFor } from '../../terminal/style.ts';
import { sanitize } from '../../terminal/text.ts';
import { cut } from '../../terminal/width.ts';
import { keyInZone, keyOnSpot } from '../board/model.ts';
import { boardReader } from '../board/read.ts';
import { drawBoard } from '../board/render.ts';
import { isParked } from '../counter/car.ts';
import { timeZoneNote } from '../counter/time-zones.ts';
import { keyOfCar, keyOfVisit } from '../today/model.ts';
import { readDay } from '../today/read.ts';
import type { DayReport, SectionName, Visit } from '../today/shape.ts';
import { drawDay } from '../today/text.ts';
import { type Flow, flows, type LiveCar, type LiveViews, type Picture } from './picture.ts';

export interface Wanted {
  readonly locationId?: string | undefined;
  /** Zones of the board (default: all). */
  readonly zoneIds?: IdSet | undefined;
  /** As typed, so that `today` is another day after midnight. */
  readonly date?: string;
  /** Lines of each section of the day (default: all). */
  readonly limit?: number | undefined;
  /** Between two reads (default: 5 for the board, 15 for the day, which takes more requests). */
  readonly seconds?: number | undefined;
}

export function liveViews(context: Context, wanted: Wanted): LiveViews {
  const { seconds } = wanted;
  return {
    board: { seconds: seconds ?? 5, read: boardPictures(context, wanted) },
    today: { seconds: seconds ?? 15, read: dayPictures(context, wanted) },
  };
}

function boardPictures(
  context: Context,
  { locationId, zoneIds }: Wanted,
): (call: CallOptions) => Promise<Picture> {
  const { io, settings } = context;
  const styles = stylesFor(io, 'stdout', settings.color);
  let reader: ReturnType<typeof boardReader> | undefined;
  return async (call) => {
    reader ??= boardReader(await context.client(), { locationId });
    const board = makeBoard(await reader.refresh(call), zoneIds);
    return {
      cars: board.flatMap(carsInZone),
      draw: (width, chosenKey) => drawBoard(board, { styles, width, chosenKey }),
    };
  };
}

const ofParked: readonly Flow[] = ['pickup', 'move'];

function carsInZone(zone: BoardZone): LiveCar[] {
  const { spots, carsWithoutSpot, name } = zone;
  const onSpots = spots.flatMap((spot): LiveCar[] =>
    spot.car
      ? [
          {
            key: keyOnSpot(spot),
            car: spot.car,
            about: [spot.name, name].filter(Boolean).join(' · '),
            flows: ofParked,
          },
        ]
      : [],
  );
  const others = sortedByTitle(carsWithoutSpot).map(
    (car): LiveCar => ({ key: keyInZone(zone, car), car, about: name ?? '', flows: ofParked }),
  );
  return [...onSpots, ...others];
}

function dayPictures(
  context: Context,
  { locationId, date = 'today', limit }: Wanted,
): (call: CallOptions) => Promise<Picture> {
  const { io, settings } = context;
  const styles = stylesFor(io, 'stdout', settings.color);
  let location: RecordFor<'locations'> | undefined;
  return async (call) => {
    const client = await context.client();
    if (locationId !== undefined) location ??= await client.locations.get(locationId, call);
    const now = io.now();
    const day = parseDay(date, now, '--date');
    const cars = new IdMap<Car>();
    const sites = location ? [location] : [];
    const report = await readDay(client, {
      ...{ day, now, location, call },
      onLocations: (some) => void sites.push(...some),
      onCars: (some) => {
        for (const car of some) cars.set(car.id, car);
      },
    });
    const note = timeZoneNote(sites, day.from);
    const shownLimit = limit ?? Number.POSITIVE_INFINITY;
    return {
      cars: carsOfDay(report, cars, shownLimit),
      draw: (width, chosenKey) => [
        ...drawDay({ styles }, report, { day, width, chosenKey, limit: shownLimit }),
        ...(note === undefined
          ? []
          : [{ text: '' }, { text: styles.dim(cut(sanitize(note), width)) }]),
      ],
    };
  };
}

/** In the order of the drawing. An appointment without a car can't be chosen. */
function carsOfDay(report: DayReport, cars: ReadonlyMap<string, Car>, limit: number): LiveCar[] {
  const visits = (section: Exclude<SectionName, 'withoutPhotos'>): LiveCar[] =>
    (report[section] ?? []).slice(0, limit).flatMap((visit: Visit) => {
      const car = cars.get(visit.car?.id ?? '');
      return car
        ? [
            {
              ...carOfDay(car),
              key: keyOfVisit(section, visit.appointment),
              about: visit.customer?.name ?? '',
            },
          ]
        : [];
    });
  const withoutPhotos = (report.withoutPhotos ?? []).slice(0, limit).flatMap((one): LiveCar[] => {
    const car = cars.get(one.car.id);
    return car
      ? [{ ...carOfDay(car), key: keyOfCar(one), about: one.spot?.name ?? one.zone?.name ?? '' }]
      : [];
  });
  return [
    ...visits('arrivals'),
    ...visits('departures'),
    ...visits('other'),
    ...visits('late'),
    ...withoutPhotos,
    ...visits('waitingForApproval'),
  ];
}

const carOfDay = (car: Car): Pick<LiveCar, 'car' | 'flows'> => ({
  car: identityOf(car),
  flows: flowsFor(car),
});

const parkedByState: Readonly<Record<string, boolean>> = {
  stored: true,
  expected: false,
  checked_out: false,
};

/** By its place, or its state where the server doesn't tell its place. All of them where neither tells. */
function flowsFor(car: Car): readonly Flow[] {
  const parked = isParked(car) ?? parkedByState[car.status];
  if (parked === undefined) return flows;
  return parked ? ofParked : ['dropoff'];
}
