import type { z } from 'zod';
import { campaignAudiences } from '../../../contract/campaigns.ts';
import type { CommandBuilder } from '../../framework/command.ts';
import type { MoreFlags } from '../../resources/definition.ts';
import {
  addFieldFlags,
  checkValues,
  type FlagField,
  flagFields,
  readValues,
} from '../../resources/fields.ts';
import { addCrudCommands, addGroup } from '../../resources/resource.ts';
import { addCampaignVerbs } from './verbs.ts';
import { audienceView, campaignView, sendView, stepView } from './views.ts';

export const campaigns: CommandBuilder = (command) => {
  addCrudCommands(command, {
    resource: 'campaigns',
    view: campaignView,
    examples: {
      list: [
        'cs campaigns list --status draft',
        'cs campaigns list --q spring --json=name,status,stats',
      ],
      get: ['cs campaigns get "Spring letter"'],
      create: [
        'cs campaigns create --name "Autumn letter" --channel email --from-name "The garage"',
      ],
      update: ['cs campaigns update "Spring letter" --from-address office@example.com'],
    },
  });
  addCampaignVerbs(command);
  addGroup(command, {
    noun: 'audiences',
    alias: 'audience',
    summary: 'Recipients of a campaign',
    resource: 'campaignAudiences',
    view: audienceView,
    more: audienceFilter,
    about: { update: 'Change an audience. --input {"filter":{…}} replaces its whole filter' },
    examples: {
      list: [
        'cs campaigns audiences list "Spring letter"',
        'cs campaigns audiences list "Spring letter" --json=name,estimatedCount',
      ],
      get: ['cs campaigns audiences get "Spring letter" "Active customers"'],
      create: [
        'cs campaigns audiences create "Spring letter" --name Regulars --customer-status active --tags vip,club',
        'cs campaigns audiences create "Spring letter" --name Main --location Main --dry-run',
        'cs campaigns audiences create "Spring letter" --name "Just Ann" --customers "Ann Lee"',
      ],
      update: [
        'cs campaigns audiences update "Spring letter" "Active customers" --input \'{"filter":{"tags":["vip"]}}\'',
      ],
      delete: ['cs campaigns audiences delete "Spring letter" "Active customers"'],
    },
  });
  addGroup(command, {
    noun: 'content',
    alias: 'step',
    summary: 'Content steps of a campaign',
    resource: 'campaignSteps',
    view: stepView,
    examples: {
      list: [
        'cs campaigns content list "Spring letter"',
        'cs campaigns content list "Spring letter" --json=position,subject',
      ],
      get: ['cs campaigns content get "Spring letter" 1'],
      create: [
        'cs campaigns content create "Spring letter" --template Welcome',
        'cs campaigns content create "Spring letter" --subject "A last word" --body "See you soon." --delay-minutes 1440',
      ],
      update: ['cs campaigns content update "Spring letter" 1 --subject "Spring is here"'],
      delete: ['cs campaigns content delete "Spring letter" 1'],
    },
  });
  addGroup(command, {
    noun: 'sends',
    alias: 'sent',
    summary: 'Delivery status per recipient',
    resource: 'campaignSends',
    view: sendView,
    examples: {
      list: [
        'cs campaigns sends list "Spring letter" --status failed',
        'cs campaigns sends list "Spring letter" --all -o csv',
      ],
      get: ['cs campaigns sends get "Spring letter" ann@example.com'],
    },
  });
  command.examples([
    'cs campaigns audiences create "Spring letter" --name Regulars --customer-status active',
    'cs campaigns content create "Spring letter" --template Welcome',
    'cs campaigns send "Spring letter" --confirm "Spring letter"',
  ]);
};

const about: Readonly<Record<string, string>> = {
  customerStatus: 'Customers with one of these statuses',
  tags: 'Customers with one of these tags',
  locationId: 'Customers with a car at this location',
  customerIds: 'These customers',
};
const { filter } = campaignAudiences.fields;
const references: Readonly<Record<string, string>> = filter.innerReferences ?? {};
const parts = Object.entries(filter.schema.shape).map(
  ([name, schema]) => [name, schema.unwrap() as z.ZodType] as const,
);
const fields: readonly FlagField[] = flagFields(
  Object.fromEntries(
    parts.map(([name, schema]) => [
      name,
      { schema, about: about[name] ?? name, references: references[name] },
    ]),
  ),
);

/** A flag of `create` for each part of the filter. A change replaces the filter: `--input` has it whole. */
const audienceFilter: MoreFlags = {
  add: (command) => addFieldFlags(command, fields, { marks: false }),
  async read(context, { options, parents }) {
    const filter = await readValues(context, fields, options, { parents });
    checkValues(fields, filter);
    return Object.keys(filter).length === 0 ? {} : { filter };
  },
};
