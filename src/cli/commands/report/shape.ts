import { z } from 'zod';

export const reportResult = z.strictObject({
  file: z.string().describe('The path of the sheet.'),
  carId: z.string(),
  eventIds: z
    .array(z.string())
    .describe('The events on the sheet: with --compare first the one before.'),
  photos: z.int().describe('Photos on the sheet.'),
  notShown: z.array(z.string()).describe('Names of photos that no picture could be made of.'),
});
