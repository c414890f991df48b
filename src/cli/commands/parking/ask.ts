/** The questions of `cs parking spots create`. */
import { isSameId } from '../../../client/ids.ts';
import { type CreateFor, contract, type RecordFor } from '../../../contract/contract.ts';
import { CliError } from '../../errors/exit.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { Question } from '../../prompts/form.ts';
import { validationMessage } from '../../prompts/prompts.ts';
import { gather } from '../../resources/methods.ts';
import { namesInRange } from '../../resources/range.ts';
import {
  type AskCreate,
  askRecord,
  askRecordForm,
  fieldQuestion,
} from '../../resources/record-form.ts';
import { stateWords } from '../../terminal/text.ts';
import { readScopes } from '../counter/event.ts';

interface Answers extends Partial<Pick<CreateFor<'parkingSpots'>, 'name' | 'kind'>> {
  readonly location?: RecordFor<'locations'>;
  readonly zone?: RecordFor<'parkingZones'> | undefined;
}

export const askSpot: AskCreate = async (context, body, creating) => {
  (await readScopes(context, 'spot')).require('write:parking', 'read:parking', 'read:locations');
  const client = await context.client();
  const locations = await gather(client.locations.all());
  const [onlyLocation, second] = locations;
  if (!onlyLocation)
    throw new CliError({
      code: 'not_found',
      message: 'No locations exist yet. Nothing was stored.',
      hint: `create one: \`${nextCommand(['locations', 'create'], connectionFlags(context))}\``,
    });
  const zones = (await gather(client.parkingZones.all())).filter(
    ({ isActive }) => isActive !== false,
  );
  const zonesAt = ({ location }: Partial<Answers>) =>
    zones.filter(({ locationId }) => isSameId(locationId, location?.id));
  const { fields } = contract.parkingSpots;
  const questions: Question<Answers>[] = [
    fieldQuestion({
      fields,
      name: 'name',
      label: 'Name',
      refuse: () => (name) => validationMessage(() => namesInRange(name, 'Name')),
    }),
    {
      name: 'location',
      part: 'Location',
      preset: () => (second ? undefined : { answer: onlyLocation }),
      ask: async (asking, { earlier }) =>
        (await askRecord(asking, {
          resource: 'locations',
          label: 'Location',
          earlier,
        })) as NonNullable<Answers['location']>,
    },
    {
      name: 'zone',
      part: 'Zone',
      dependsOn: ['location'],
      applies: (answers) => body.zoneId === undefined && zonesAt(answers).length > 0,
      ask: async (asking, { answers: { location }, earlier }) =>
        (await askRecord(asking, {
          resource: 'parkingZones',
          label: 'Zone',
          query: { locationId: location?.id, isActive: true },
          earlier,
          none: 'No zone',
        })) as Answers['zone'],
    },
    fieldQuestion({ fields, name: 'kind', label: 'Kind' }),
  ];
  return askRecordForm<Answers>(context, {
    resource: 'parkingSpots',
    questions,
    given: {
      name: body.name as string,
      kind: body.kind as Answers['kind'],
      location: locations.find(({ id }) => isSameId(id, body.locationId)) as NonNullable<
        Answers['location']
      >,
    },
    body,
    bodyOf: ({ location, zone, name, kind }) => ({
      ...(location && { locationId: location.id }),
      ...(zone && { zoneId: zone.id }),
      ...(name && { name }),
      ...(kind && { kind }),
    }),
    rows: ({ name, location, zone, kind }) => [
      ['Name', name, ['name']],
      ['Location', location?.name, ['locationId']],
      ...(zone ? ([['Zone', zone.name, ['zoneId']]] as const) : []),
      ['Kind', kind && stateWords(kind), ['kind']],
    ],
    creating,
  });
};
