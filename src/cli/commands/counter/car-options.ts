import type { Context } from '../../framework/context.ts';
import { type Car, describeCar } from '../../lookup/car.ts';
import { carName } from '../../lookup/labels.ts';
import { plateRoom } from '../../output/view.ts';
import type { Option } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { fill, widest } from '../../terminal/width.ts';

/** One line each: plate, car, nickname and one thing more in columns. */
export function carOptions({ io, paint }: Context, cars: readonly Car[], more: (car: Car) => string): Option<Car>[] {
  const plates = cars.map((car) => sanitize(car.licensePlate ?? '–'));
  const names = cars.map((car) => sanitize([carName(car), car.nickname && `“${car.nickname}”`].filter(Boolean).join(' ')));
  const lasts = cars.map((car) => sanitize(more(car)));
  const plateWidth = widest(plates, plateRoom(io.columns ?? 80));
  const lastWidth = Math.max(8, widest(lasts, 16));
  const nameWidth = widest(names, (io.columns ?? 80) - plateWidth - lastWidth - 8);
  return cars.map((car, index) => ({
    name: [
      fill(plates[index] ?? '', plateWidth),
      fill(names[index] ?? '', nameWidth),
      paint.dim(fill(lasts[index] ?? '', lastWidth).trimEnd()),
    ]
      .join('  ')
      .trimEnd(),
    short: sanitize(describeCar(car)),
    value: car,
    about: sanitize([car.vin && `VIN ${car.vin}`, car.color].filter(Boolean).join(' · ')) || undefined,
  }));
}
