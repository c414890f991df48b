/** The switch that refuses every key of the team, and lets them in again. */
import type { VNode } from 'preact';
import { h } from '../h.ts';
import { usedWithin } from '../key-facts.ts';
import { useAction } from '../parts/action.ts';
import { Cancel, closeDialog, Dialog } from '../parts/dialog.ts';
import { Failure, Form } from '../parts/form.ts';
import { query, withQuery } from '../router.ts';
import { type ApiKey, actorText, type Integration, team } from '../team.ts';
import { dayMs, plural, timeText } from '../times.ts';

interface Props {
  readonly integration: Integration;
  /** Those in force. */
  readonly keys: readonly ApiKey[];
  readonly reload: () => void;
}

export function IntegrationCard({ integration, keys, reload }: Props): VNode {
  const { apiEnabled, changedAt, changedBy } = integration;
  const change = (wanted: boolean) => async () => {
    await team.updateIntegration({ apiEnabled: wanted });
    closeDialog();
    reload();
  };
  const turnOn = useAction(change(true));
  const turnOff = useAction(change(false));
  const used = keys.filter((key) => usedWithin(key, dayMs));
  const since = changedAt
    ? `since ${timeText(changedAt)}${changedBy ? `, ${actorText(changedBy)}` : ''}`
    : '';
  return h(
    'section',
    { class: 'card switch', 'aria-labelledby': 'integration' },
    h(
      'div',
      null,
      h('h2', { id: 'integration' }, 'API integration'),
      h(
        'p',
        null,
        h('strong', { class: apiEnabled ? 'state on' : 'state off' }, apiEnabled ? 'On' : 'Off'),
        since && h('span', { class: 'quiet' }, ` ${since}`),
      ),
      h(
        'p',
        { class: 'quiet' },
        apiEnabled
          ? `${plural(keys.length, 'key')} in force, ${used.length} used in the last 24 hours.`
          : 'Every key is refused with 403. The keys are kept.',
      ),
      h(Failure, { error: turnOn.error }),
    ),
    apiEnabled
      ? h('a', { class: 'button', href: withQuery({ do: 'turn-off' }) }, 'Turn off…')
      : h(
          'button',
          {
            class: 'button primary',
            type: 'button',
            onClick: turnOn.run,
            disabled: turnOn.isRunning,
          },
          'Turn on',
        ),
    query.value.get('do') === 'turn-off' &&
      apiEnabled &&
      h(
        Dialog,
        { title: 'Turn the API integration off?', onClose: closeDialog },
        h(
          'p',
          null,
          'At once, every key of the team is refused with 403: programs, websites and cs itself stop working. The keys are kept, and work again when you turn it on.',
        ),
        used.length > 0
          ? h(
              'details',
              null,
              h(
                'summary',
                null,
                `${plural(used.length, 'key was', 'keys were')} used in the last 24 hours`,
              ),
              h('ul', null, ...used.map(({ id, name }) => h('li', { key: id }, name))),
            )
          : h('p', null, 'No key was used in the last 24 hours.'),
        h('p', { class: 'quiet' }, 'This dashboard goes on working.'),
        h(Form, { action: turnOff, submit: 'Turn off', isDanger: true, beside: h(Cancel, {}) }),
      ),
  );
}
