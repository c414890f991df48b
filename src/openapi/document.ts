/** The interface description (OpenAPI 3.1), derived from the contract. Every operation and field has its source. */
import { contract } from '../contract/contract.ts';
import { walk } from '../contract/operations.ts';
import { spec } from '../contract/resource.ts';
import { examplesOf } from './example.ts';
import { describeDocument, describeOperation } from './operation.ts';
import { answerHeaders, problemExamples, problemSchema, sharedRefusals } from './problems.ts';
import { describeSchemas, titleOf } from './record.ts';
import type { Json } from './schema.ts';

const introduction = `The interface of a car storage facility: its cars and what is done with them, customers, locations, parking, appointments, messages and marketing.

**Where a statement comes from.** \`x-source\` on operations, parameters and fields is \`specification\` for what the specification of the interface states, and \`decision\` for what this server decided where it is silent; on a schema, \`specification\` is said only when all of its fields are. \`x-scope-source\`, \`x-default-source\`, \`x-transitions-source\` and \`x-repeat-source\` say the same of scopes, defaults, the order of states and repeated parameters. Another server with the same interface may have decided otherwise.

**Keys.** Each operation needs an API key, in \`x-api-key\` or as a bearer token. \`x-scopes\` names the scopes that the key must carry: all of \`all\`, or one of \`any\`.

**Answers.** A record is \`{ data }\`, a list \`{ data, page, limit, total }\`, an error \`{ error, code, details }\`; \`x-codes\` names the codes that an answer can carry. Fields that hold nothing are \`null\` and never left out. Times are UTC with milliseconds.

**Defaults** of the fields of a body are \`x-default\`: client generators would demand a field with \`default\`.

**Texts** hold any character except U+0000 and halves of surrogate pairs.`;

let built: Json | undefined;

/** The description of the whole interface. The specification sets its version 1.1.0. */
export function openApiDocument(): Json {
  if (built) return built;
  const steps = building();
  let step = steps.next();
  while (!step.done) step = steps.next();
  built = step.value;
  return built;
}

/** The same as text, for the service. `pause` lets other work run between steps of a few milliseconds. */
export async function openApiText(pause: () => Promise<unknown>): Promise<string> {
  const steps = building();
  while (!built) {
    const step = steps.next();
    if (step.done) built = step.value;
    else await pause();
  }
  return JSON.stringify(built);
}

/** The content of `dist/openapi.json`, for people and for tools without a service. */
export const openApiFile = (): string => `${JSON.stringify(openApiDocument(), null, 2)}\n`;

/** Yields after each operation and each resource. */
function* building(): Generator<undefined, Json> {
  const paths: Record<string, Json> = {};
  const operations = [...walk(contract)];
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describeOperation(operation),
    };
    yield;
  }
  paths['/openapi.json'] = { get: describeDocument() };
  const resources = Object.values(contract);
  const schemas: [string, Json][] = [];
  const examples: [string, Json][] = [];
  for (const resource of resources) {
    schemas.push(...describeSchemas(resource));
    yield;
    examples.push(...examplesOf(resource, titleOf(resource)));
    yield;
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Car storage',
      version: '1.1.0',
      summary: 'Cars, customers, parking, appointments and marketing of a car storage facility.',
      description: introduction,
      contact: { name: 'The operator of this server' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This server.' }],
    tags: [
      ...resources.map(({ plural, about }) => ({ name: plural, description: about })),
      { name: 'description', description: 'This description itself.' },
    ],
    paths,
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A team API key.',
          'x-source': spec,
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The same key as a bearer token.',
          'x-source': spec,
        },
      },
      headers: answerHeaders,
      schemas: { Problem: problemSchema, ...Object.fromEntries(schemas) },
      responses: sharedRefusals(operations),
      examples: { ...problemExamples(operations), ...Object.fromEntries(examples) },
    },
  };
}
