/** The parts that results of the counter share. A result's schema is loaded by `cs schema` alone; other files use its types. */
import { z } from 'zod';
import { contract } from '../../../contract/contract.ts';
import { shownFields } from '../../../contract/schemas.ts';
import { type CarIdentity, identityFields } from '../../../facility/car-names.ts';
import { anyValue, extendRecord } from '../../resources/record-schema.ts';
import { uploadFailure } from '../files/shape.ts';

const carFields = shownFields(contract.cars);

export const identityShape: z.ZodRawShape = Object.fromEntries(
  identityFields.map((name) => [
    name,
    name === 'id' ? z.string() : anyValue(carFields[name] as z.ZodType),
  ]),
);
export const carIdentity = z.strictObject(identityShape) as unknown as z.ZodType<CarIdentity>;

const placeIdentity = z.strictObject({
  id: z.string(),
  name: z.string().nullable().describe("Null where the server doesn't tell it."),
  locationId: z.string().nullable().describe("Null where the server doesn't tell it."),
});

/** `spot` or `zone`, the other one null. */
export const placeFields = { spot: placeIdentity.nullable(), zone: placeIdentity.nullable() };
export const placeResult = z.strictObject(placeFields);
export type PlaceResult = z.infer<typeof placeResult>;

export const replayed = z
  .literal(true)
  .optional()
  .describe('An earlier run with the same idempotency key stored it.');

const unprepared = "Null if it wasn't prepared.";

export const photoUploadResult = z.strictObject({
  file: z.string().describe('Absolute path.'),
  filename: z.string().describe('As stored, or as it would be. A server may change it.'),
  status: z
    .enum(['stored', 'failed', 'not_sent'])
    .describe('`not_sent`: skipped after a failure that affects every photo, or after a signal.'),
  photoId: z.string().nullable(),
  sameAs: z
    .string()
    .nullable()
    .describe('An earlier file with the same bytes; both are one stored photo.'),
  sizeBytes: z.int().nullable().describe(`As sent. ${unprepared}`),
  originalSizeBytes: z.int().nullable().describe(`On disk. ${unprepared}`),
  width: z.int().nullable().describe(unprepared),
  height: z.int().nullable().describe(unprepared),
  shrunk: z.boolean().nullable().describe(unprepared),
  locationRemoved: z.boolean().nullable().describe(unprepared),
  differs: z
    .string()
    .optional()
    .describe(
      "What the server's record of the photo shows otherwise than it was sent. A server may convert photos.",
    ),
  error: uploadFailure.nullable(),
});
export type PhotoUploadResult = z.infer<typeof photoUploadResult>;

const eventResultFields = {
  event: extendRecord('carEvents', {
    id: z.string().optional().describe('Missing where the server tells only the session.'),
  }),
  photos: z.array(photoUploadResult),
  missingPhotos: z
    .array(z.string())
    .describe('Names of the list of the event type that no stored photo has.'),
  sessionId: z
    .string()
    .nullable()
    .describe(
      'Photo session of the event. Null where the server names none, against the specification (section 4).',
    ),
  replayed,
};
/** A drop-off or a pick-up. */
export const carEventResult = <E extends z.ZodRawShape>(place: string, extra: E = {} as E) =>
  z.strictObject({
    car: carIdentity.describe("Without the car's state, which the event shows."),
    ...eventResultFields,
    spot: placeFields.spot.describe(place),
    zone: placeFields.zone.describe(place),
    ...extra,
  });
