import { z } from 'zod';

export const labelsResult = z.strictObject({
  file: z.string().describe('The path of the sheets.'),
  labels: z.int(),
  pages: z.int(),
  codes: z
    .enum(['address', 'id'])
    .describe('What the codes hold: the page of the car in the dashboard, or an id alone.'),
});
