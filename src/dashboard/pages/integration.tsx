/** The switch that refuses every key of the team, and lets them in again. */
import { actorText } from '../audit-text.ts';
import { usedWithin } from '../key-facts.ts';
import { Cancel, closeDialog, Dialog } from '../parts/dialog.tsx';
import { Button, Failure, Form, useAction } from '../parts/form.tsx';
import { type ApiKey, type Integration, write } from '../read.ts';
import { asked, withQuery } from '../router.ts';
import { dayMs, plural, timeText } from '../times.ts';

interface Props {
  readonly integration: Integration;
  /** Those in force. */
  readonly keys: readonly ApiKey[];
  readonly reload: () => void;
}

export function IntegrationCard({ integration, keys, reload }: Props) {
  const { apiEnabled, changedAt, changedBy } = integration;
  const change = (wanted: boolean) => async () => {
    await write('PATCH', 'team/integration', { apiEnabled: wanted });
    closeDialog();
    reload();
  };
  const turnOn = useAction(change(true));
  const turnOff = useAction(change(false));
  const used = keys.filter((key) => usedWithin(key, dayMs));
  const since = changedAt
    ? `since ${timeText(changedAt)}${changedBy ? `, ${actorText(changedBy)}` : ''}`
    : '';
  return (
    <section class="card switch" aria-labelledby="integration">
      <div>
        <h2 id="integration">API integration</h2>
        <p>
          <strong class={apiEnabled ? 'state on' : 'state off'}>{apiEnabled ? 'On' : 'Off'}</strong>
          {since && <span class="quiet"> {since}</span>}
        </p>
        <p class="quiet">
          {apiEnabled
            ? `${plural(keys.length, 'key')} in force, ${used.length} used in the last 24 hours.`
            : 'Every key is refused with 403. The keys are kept.'}
        </p>
        <Failure error={turnOn.error} />
      </div>
      {apiEnabled ? (
        <a class="button" href={withQuery({ do: 'turn-off' })}>
          Turn off…
        </a>
      ) : (
        <Button class="primary" action={turnOn}>
          Turn on
        </Button>
      )}
      {asked('do') === 'turn-off' && apiEnabled && (
        <Dialog title="Turn the API integration off?" onClose={closeDialog}>
          <p>
            At once, every key of the team is refused with 403: programs, websites and cs itself
            stop working. The keys are kept, and work again when you turn it on.
          </p>
          {used.length > 0 ? (
            <details>
              <summary>Used in the last 24 hours: {plural(used.length, 'key')}</summary>
              <ul>
                {used.map(({ id, name }) => (
                  <li key={id}>{name}</li>
                ))}
              </ul>
            </details>
          ) : (
            <p>No key was used in the last 24 hours.</p>
          )}
          <p class="quiet">This dashboard goes on working.</p>
          <Form action={turnOff} submit="Turn off" isDanger beside={<Cancel />} />
        </Dialog>
      )}
    </section>
  );
}
