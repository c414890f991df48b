/** `cs schema`: describes the API from the contract, without a server. */

import type { Resource } from '../../../contract/resource.ts';
import type { Context } from '../../context.ts';
import {
  Argument,
  type CommandBuilder,
  type Input,
  suggestValues,
} from '../../framework/command.ts';
import type { View } from '../../output/view.ts';
import { findSchema, kebabName, resources } from '../../resources/find-resource.ts';
import { stylesFor } from '../../terminal/style.ts';
import { type ResultInfo, results } from './results.ts';

const resourceView: View = {
  one: 'resource or result',
  many: 'resources and results',
  columns: [
    { header: 'resource', cell: (row) => row.typed, neverCut: true },
    { header: 'about', cell: (row) => row.about },
    // Relative to /api/v1, as in `cs api`.
    {
      header: 'path',
      cell: (row) => String(row.path ?? '').replace(/^\/api\/v1/, ''),
      droppable: true,
      neverCut: true,
    },
    { header: 'verbs', cell: (row) => row.verbs.join(' '), droppable: true, neverCut: true },
  ],
  title: () => '',
};

interface Listed {
  readonly name: string;
  readonly typed: string;
  /** Null for the result of a command. */
  readonly path: string | null;
  readonly verbs: readonly string[];
  readonly about: string;
}

const verbsByName = Object.fromEntries(
  resources.map((resource) => [kebabName(resource), Object.keys(resource.operations)]),
);

const firstWord = (name: string): string => name.split(' ')[0] as string;
const secondWords = Object.fromEntries(
  results.map(({ name }) => [firstWord(name), name.split(' ').slice(1)]),
);

export const schema: CommandBuilder = (command) => {
  command
    .description(
      [
        'Show the fields, filters and verbs of a resource, or one verb, with types, rules and scopes; or the JSON Schema of what a command such as `cs today` prints.',
        'Without a name, list the resources and these commands. The JSON contains JSON Schemas. It describes this cs, without a server; compare a server with `cs doctor`.',
      ].join('\n'),
    )
    .addArgument(
      suggestValues(
        new Argument(
          '[resource...]',
          'such as cars or parking-spots, and optionally a verb; or a command such as today',
        ),
        [...resources.map(kebabName), ...results.map(({ name }) => firstWord(name))],
        { ...verbsByName, ...secondWords },
      ),
    );
  command.examples([
    'cs schema',
    'cs schema cars',
    'cs schema parking-spots create',
    'cs schema today -o json',
    "cs schema customers --jq '.schemas.CustomerCreate'",
  ]);
  command.handle(run);
};

async function run({ io, output, settings }: Context, { args }: Input): Promise<void> {
  const words: string[] = args[0];
  if (words.length === 0) {
    return output.list({
      view: resourceView,
      records: [...resources.map(listedResource), ...results.map(listedResult)],
    });
  }
  const result = results.find(({ name }) => name === words.join(' ').toLowerCase());
  if (result) {
    const [{ describeResult }, { toJson }] = await Promise.all([
      import('./result.ts'),
      import('../../output/json.ts'),
    ]);
    const described = await describeResult(result);
    return output.styled(described, toJson(described));
  }
  const page = {
    styles: await stylesFor(io, 'stdout', settings.color),
    width: Math.min(io.columns ?? 80, 100),
  };
  const { resource, operation } = findSchema(words);
  const [{ describeResource, describeVerb }, { resourceText, verbText }] = await Promise.all([
    import('./describe.ts'),
    import('./text.ts'),
  ]);
  if (operation) {
    const described = describeVerb(operation);
    return output.styled(described, verbText(described, page));
  }
  const described = describeResource(resource);
  return output.styled(described, resourceText(described, page));
}

const listedResource = (resource: Resource): Listed => ({
  name: resource.name,
  typed: kebabName(resource),
  path: `/api/v1${resource.path}`,
  verbs: Object.keys(resource.operations),
  about: resource.about,
});

const listedResult = ({ name, about }: ResultInfo): Listed => ({
  name,
  typed: name,
  path: null,
  verbs: [],
  about: `Result of \`cs ${name}\`: ${about.charAt(0).toLowerCase()}${about.slice(1)}`,
});
