import { photoTypes } from '../../contract/cars.ts';
import type { CreateFor } from '../../contract/contract.ts';
import type { Context } from '../context.ts';
import { invalid, invalidValue } from '../problem.ts';
import { find, insert, listBy, remove } from '../records.ts';
import { toUtc } from '../values.ts';
import { requireLocationInUse, requireTimezone } from './locations.ts';
import { renumber } from './positions.ts';
import type { RulesOf } from './rule.ts';
import { issuesOfSpan } from './times.ts';
import { refuseUsed } from './uses.ts';

/** Decision: default replies of a new event. */
const firstOptions = [
  { label: 'Going', kind: 'going' },
  { label: 'Maybe', kind: 'maybe' },
  { label: 'Not going', kind: 'declined' },
] as const;

export const socialEvents: RulesOf<'socialEvents'> = {
  async create(context, { body }, proceed) {
    requireOrder(body);
    const location = await requireLocationInUse(context, body.locationId);
    const timezone = body.timezone ?? location?.timezone ?? context.team.timezone;
    requireTimezone(timezone);
    await requireImage(context, body.coverAssetId);
    const event = await proceed({ timezone });
    const options = firstOptions.map((option, at) => ({
      ...option,
      capacity: null,
      position: at + 1,
    }));
    for (const option of options)
      await insert(context, 'rsvpOptions', { ...option, socialEventId: event.id });
    return event;
  },
  async update(context, { record, body }, proceed) {
    requireOrder({ ...record, ...body });
    if (body.timezone) requireTimezone(body.timezone);
    if (body.locationId !== record.locationId) await requireLocationInUse(context, body.locationId);
    await requireImage(context, body.coverAssetId);
    return proceed();
  },
  /** Specification: deletes related data, too. */
  async delete(context, { record }) {
    for (const table of ['rsvps', 'invites', 'rsvpOptions'] as const) {
      await context.db
        .deleteFrom(table)
        .where('teamId', '=', context.team.id)
        .where('socialEventId', '=', record.id)
        .execute();
    }
    await remove(context, 'socialEvents', record.id);
  },
};

/** Reports all wrong times at once. */
function requireOrder({ startAt, endAt, rsvpDeadline }: CreateFor<'socialEvents'>): void {
  const issues = [
    ...issuesOfSpan({ startAt, endAt }),
    ...(rsvpDeadline && toUtc(rsvpDeadline) > toUtc(startAt)
      ? [{ path: 'rsvpDeadline', rule: 'before_start', message: 'must not be after startAt' }]
      : []),
  ];
  if (issues.length > 0) throw invalid(issues);
}

async function requireImage(context: Context, assetId: string | null | undefined): Promise<void> {
  const asset = assetId ? await find(context, 'assets', assetId) : undefined;
  if (!asset || photoTypes.some((type) => type === asset.contentType)) return;
  throw invalidValue(
    'coverAssetId',
    'image',
    `must be an image; ${asset.filename} is ${asset.contentType}`,
  );
}

export const rsvpOptions: RulesOf<'rsvpOptions'> = {
  async create(context, { parent: event, body }, proceed) {
    requireNoCapacity(body.kind, body.capacity);
    return proceed({
      position: await renumber(
        context,
        'rsvpOptions',
        await optionsOf(context, event.id),
        body.position,
      ),
    });
  },
  async update(context, { record, body }, proceed) {
    requireNoCapacity(record.kind, body.capacity);
    if (body.position === undefined) return proceed();
    const others = (await optionsOf(context, record.socialEventId)).filter(
      ({ id }) => id !== record.id,
    );
    return proceed({ position: await renumber(context, 'rsvpOptions', others, body.position) });
  },
  async delete(context, { record }, proceed) {
    await refuseUsed(context, `The option ${record.label}`, {
      target: 'rsvpOptions',
      id: record.id,
    });
    await proceed();
    await renumber(context, 'rsvpOptions', await optionsOf(context, record.socialEventId));
  },
};

const optionsOf = (context: Context, socialEventId: string) =>
  listBy(context, 'rsvpOptions', { socialEventId }, 'position');

/** Decision: only guests who come take places, so other replies can't have a capacity. */
function requireNoCapacity(kind: string, capacity: number | null | undefined): void {
  if (kind === 'going' || !capacity) return;
  throw invalidValue(
    'capacity',
    'going_only',
    `is only for options of the kind going; this one is ${kind}`,
  );
}
