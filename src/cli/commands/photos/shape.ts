import { z } from 'zod';
import { photoUploadResult } from '../counter/shape.ts';

export const addedPhoto = photoUploadResult.extend({
  verified: z
    .enum(['same_bytes', 'same_name_and_size', 'unknown', 'missing'])
    .nullable()
    .describe("Null if it wasn't compared with the server's photos."),
});
export type AddedPhoto = z.infer<typeof addedPhoto>;
