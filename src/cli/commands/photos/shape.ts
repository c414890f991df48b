import { z } from 'zod';
import { identityShape, photoUploadResult } from '../counter/shape.ts';

export const addedPhoto = photoUploadResult.extend({
  verified: z
    .enum(['same_bytes', 'same_name_and_size', 'unknown', 'missing'])
    .nullable()
    .describe("Null if it wasn't compared with the server's photos."),
});
export type AddedPhoto = z.infer<typeof addedPhoto>;

const id = z.string().nullable();
export const missingPhotosResult = z.array(
  z.strictObject({
    ...identityShape,
    parkingSpotId: id,
    parkingZoneId: id,
    eventId: z.string().describe('The last drop-off.'),
    sessionId: id.describe('Its photo session, where photos are added.'),
    droppedOffAt: z.string(),
    missingPhotos: z.array(z.string()).describe('Names of the list that no photo has.'),
  }),
);
