import { idColumn, type Row, timeColumn } from '../../output/view.ts';
import { firstLine } from '../../resources/labels.ts';
import { column, droppableColumn, reference, state, viewOf } from '../../resources/view.ts';
import { pluralize, stateWords } from '../../terminal/text.ts';

export const campaignView = viewOf('campaigns', {
  columns: [
    column('name'),
    column('channel'),
    state(),
    timeColumn('starts', (row) => row.startedAt ?? row.scheduledAt),
    { header: 'people', cell: (row) => row.stats?.recipients, align: 'right' },
    {
      header: 'sent',
      cell: (row) => (row.stats ? row.stats.sent + row.stats.delivered : undefined),
      align: 'right',
      droppable: true,
    },
    { header: 'failed', cell: (row) => row.stats?.failed, align: 'right', droppable: true },
    idColumn,
  ],
  emptyHint: 'Create one with `cs campaigns create --name NAME --channel email`.',
});

export const audienceView = viewOf('campaignAudiences', {
  columns: [
    column('name'),
    { header: 'who', cell: (row) => describeFilter(row.filter) },
    { header: 'addresses', cell: (row) => row.estimatedCount, align: 'right' },
    idColumn,
  ],
  title: (row) =>
    [
      row.name,
      typeof row.estimatedCount === 'number' &&
        pluralize(row.estimatedCount, 'address', 'addresses'),
    ]
      .filter(Boolean)
      .join(' · '),
  emptyHint: 'Add one with `cs campaigns audiences create CAMPAIGN --name NAME`.',
});

/** `active · vip, club · at a location · 2 customers` */
function describeFilter(filter: Row = {}): string {
  const { customerStatus = [], tags = [], locationId, customerIds = [] } = filter;
  const parts = [
    customerStatus.join(', '),
    tags.join(', '),
    locationId ? 'a car at one location' : '',
    customerIds.length > 0 ? pluralize(customerIds.length, 'customer', 'customers') : '',
  ];
  return parts.filter(Boolean).join(' · ') || 'everyone';
}

export const stepView = viewOf('campaignSteps', {
  columns: [
    { header: 'place', cell: (row) => row.position, align: 'right' },
    { header: 'subject', cell: (row) => row.subject },
    { header: 'text', cell: (row) => firstLine(row.body) },
    { header: 'sent', cell: (row) => formatDelay(row.delayMinutes), droppable: true },
    reference('template', 'templateId', 'templates'),
    idColumn,
  ],
  emptyHint: 'Add one with `cs campaigns content create CAMPAIGN --subject SUBJECT --body TEXT`.',
});

/** The delay after the previous step. */
export function formatDelay(minutes: unknown): string {
  if (typeof minutes !== 'number' || minutes === 0) return 'immediately';
  const [size, one] =
    minutes % 1_440 === 0 ? [1_440, 'day'] : minutes % 60 === 0 ? [60, 'hour'] : [1, 'minute'];
  return `${pluralize(minutes / (size as number), one as string, `${one}s`)} later`;
}

export const sendView = viewOf('campaignSends', {
  columns: [
    { header: 'to', cell: (row) => row.recipient },
    reference('customer', 'customerId', 'customers'),
    state(),
    { header: 'why', cell: (row) => row.error ?? stateWords(row.skipReason) },
    timeColumn('sent', 'sentAt'),
    droppableColumn('attempts', 'attempts'),
    idColumn,
  ],
  emptyHint: 'The campaign creates them when it starts: `cs campaigns send CAMPAIGN`.',
});
