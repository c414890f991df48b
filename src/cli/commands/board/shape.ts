import { z } from 'zod';
import type { BoardZone } from '../../../facility/board.ts';
import { extendRecord } from '../../resources/record-schema.ts';
import { carIdentity } from '../counter/shape.ts';

const boardSpot = extendRecord('parkingSpots', {
  car: carIdentity
    .nullable()
    .describe(
      'Null for a free spot, and without the scope to read cars; then `occupiedByCarId` has the id.',
    ),
  state: z
    .enum(['free', 'taken', 'inactive', 'unknown'])
    .describe("`unknown` where the cars don't tell their place."),
});

const zoneFields = {
  location: z.strictObject({
    id: z.string().nullable().describe("Null where the server doesn't tell it."),
    name: z
      .string()
      .nullable()
      .describe("Null without the scope to read locations, and where the server doesn't tell it."),
  }),
  isActive: z
    .boolean()
    .nullable()
    .describe(
      "Null where the server doesn't tell it, and for spots without a zone without the scope to read locations.",
    ),
  spots: z.array(boardSpot),
  carsWithoutSpot: z.array(carIdentity),
};
const boardZone = extendRecord('parkingZones', {
  capacity: z
    .int()
    .nullable()
    .optional()
    .describe("Null for no limit; missing where the server doesn't tell."),
  occupied: z
    .int()
    .nullable()
    .describe("Cars in the zone without a spot; null where the server doesn't tell."),
  ...zoneFields,
});
const spotsWithoutZone = z.strictObject({
  id: z.null(),
  name: z.null(),
  capacity: z.null(),
  occupied: z.null(),
  locationId: z.string().nullable().describe("Null where the server doesn't tell it."),
  ...zoneFields,
});

export const boardResult = z.array(
  z.union([
    boardZone.describe('A zone.'),
    spotsWithoutZone.describe('The spots of a location without a zone.'),
  ]),
) satisfies z.ZodType<BoardZone[]>;
