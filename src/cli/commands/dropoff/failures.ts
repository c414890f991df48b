import type { CreateFor } from '../../../contract/contract.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { carName } from '../../lookup/labels.ts';
import { type Circumstances, failure, isUnknown, reasonOf } from '../counter/failures.ts';

/** The error for a car that was to be stored. The client's own where nothing can have been stored. */
export function carNotStored(error: unknown, { values, stopped, flags }: Circumstances & { values: CreateFor<'cars'> }): unknown {
  if (!stopped && !isUnknown(error)) return error;
  const what = values.licensePlate ?? carName(values);
  return failure(error, {
    message: `${reasonOf(error, stopped)} Whether the new car was stored is not known; the drop-off was not.`,
    hint: `look before you add it again: \`${nextCommand(['cars', 'list', '--q', what], flags)}\``,
  });
}
