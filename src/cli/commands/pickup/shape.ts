import { carEventResult } from '../counter/shape.ts';

export const pickupResult = carEventResult(
  'The place that is free now: a spot or a zone, the other one is null.',
);
