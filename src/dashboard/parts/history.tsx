/** What happened, newest first, with place, notes and who did it. */
import { titleOf } from '../../facility/car-names.ts';
import { actorText } from '../audit-text.ts';
import type { Happened } from '../history.ts';
import { timeText } from '../times.ts';
import { canWork, workHref } from '../work.ts';
import { Card } from './page.tsx';
import { dotted } from './visits.tsx';

interface Props {
  readonly of: readonly Happened[];
  /** The cars differ. */
  readonly hasCars?: boolean;
}

export const History = ({ of, hasCars }: Props) => (
  <Card title="History">
    {of.length === 0 ? (
      <p class="quiet">Nothing happened yet.</p>
    ) : (
      <ol class="visits" reversed>
        {of.map(({ id, car, at, what, notes, place, who, sheet, back }) => (
          <li key={id}>
            <span class="when">{at ? timeText(at) : ''}</span>
            <span class="what">
              {hasCars && (
                <a class="plate" href={`/dashboard/cars/${car.id}`}>
                  {titleOf(car)}{' '}
                </a>
              )}
              <strong>{what}</strong>
              <span class="quiet about">
                {dotted(
                  place,
                  notes,
                  who && `by ${actorText(who)}`,
                  sheet && (
                    <a
                      class="off-paper"
                      href={sheet}
                      target="_blank"
                      aria-label={`Sheet of ${what}${at ? `, ${timeText(at)}` : ''}`}
                      rel="noopener"
                    >
                      Sheet
                    </a>
                  ),
                )}
              </span>
            </span>
            {back && canWork() && (
              <a class="button small" href={workHref('move', { car: car.id, place: back })}>
                Move back…
              </a>
            )}
          </li>
        ))}
      </ol>
    )}
  </Card>
);
