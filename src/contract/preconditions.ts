import { z } from 'zod';
import { decision, type Precondition } from './resource.ts';

const expectedPlace = /^(any|none|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/;

/** Refuses a change of a car's parking that was decided on an outdated screen. */
export const ifParkedIn = {
  header: 'If-Parked-In',
  source: decision,
  get schema() {
    return z
      .string()
      .regex(expectedPlace, 'must be the id of a spot or a zone, or any or none')
      .toLowerCase();
  },
  about:
    'Where the car must be parked; otherwise the request is refused with parking_changed. The id of a spot or a zone, `any` for anywhere, `none` for nowhere. A repeat with the same Idempotency-Key gets the first answer, wherever the car is by then.',
} as const satisfies Precondition;
