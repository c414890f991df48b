/** What the server's interface description tells, as findings. */
import { documentsIdempotencyKey } from '../../../client/description.ts';
import { contract } from '../../../contract/contract.ts';
import { walk } from '../../../contract/operations.ts';
import { pluralize } from '../../terminal/text.ts';
import { compareDescriptions, type Drift, isDescription, isSame, type PartDrift } from './drift.ts';
import { type Finding, note, ok, skipped, warning } from './finding.ts';

interface DescriptionFindings {
  readonly findings: readonly Finding[];
  /** Null where the server has no description. */
  readonly drift: Drift | null;
}

export async function checkDescription(description: unknown): Promise<DescriptionFindings> {
  if (!isDescription(description))
    return {
      findings: [skipped('interface', 'the server has no interface description'), repeats(undefined)],
      drift: null,
    };
  const { openApiDocument } = await import('../../../openapi/document.ts');
  const drift = compareDescriptions(openApiDocument(), description);
  const same = isSame(drift) ? ok('interface', 'described as this cs knows it') : differing(drift);
  return { findings: [same, repeats(description)], drift };
}

function differing(drift: Drift): Finding {
  const { missingOperations, unknownOperations, parts } = drift;
  const lines = [
    ...(missingOperations.length > 0 ? [`not there: ${byPath(missingOperations)}`] : []),
    ...(unknownOperations.length > 0 ? [`not known here: ${byPath(unknownOperations)}`] : []),
    ...parts.map(partLine),
  ];
  const count = missingOperations.length + unknownOperations.length + parts.length;
  const found = `the server describes it otherwise than this cs knows it, in ${pluralize(count, 'place', 'places')}`;
  return warning('interface', found, {
    lines,
    hint: 'the versions of this cs and of the server should fit; `cs doctor --json` lists everything',
  });
}

function partLine({ operations, part, missingFields, unknownFields, requiredFields, types, values }: PartDrift): string {
  const what = { record: 'field', body: 'field of the body', query: 'parameter' }[part];
  const named = (names: readonly string[], text: string) => (names.length > 0 ? [`${what} ${text}: ${names.join(', ')}`] : []);
  const differences = [
    ...named(missingFields, 'not there'),
    ...named(unknownFields, 'not known here'),
    ...named(requiredFields, 'needed there'),
    ...types.map(({ field, here, there }) => `${field} is ${there} there, ${here} here`),
    ...values.flatMap(({ field, missing, unknown }) => [
      ...(missing.length > 0 ? [`values of ${field} not there: ${missing.join(', ')}`] : []),
      ...(unknown.length > 0 ? [`values of ${field} not known here: ${unknown.join(', ')}`] : []),
    ]),
  ];
  return `${byPath(operations)}: ${differences.join('; ')}`;
}

/** `GET POST /cars, GET /cars/{id}`. */
function byPath(operations: readonly string[]): string {
  const methods = new Map<string, string[]>();
  for (const operation of operations) {
    const [method = '', path = ''] = operation.split(' ', 2);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  return Array.from(methods, ([path, some]) => `${some.join(' ')} ${path}`).join(', ');
}

/** Whether a create whose answer is lost can be sent again. */
function repeats(description: unknown): Finding {
  const name = 'repeats';
  const creates = [...walk(contract)].filter(({ method }) => method === 'POST');
  const safe = creates.filter(({ path }) => documentsIdempotencyKey(description, path));
  if (safe.length === creates.length) return ok(name, 'a create whose answer is lost is sent again: the server knows its Idempotency-Key');
  if (safe.length === 0) return note(name, 'a create whose answer is lost is not sent again: the server documents no Idempotency-Key');
  const some = `the server documents the Idempotency-Key for ${safe.length} of ${creates.length} creates`;
  return note(name, `a create whose answer is lost is sent again only in part: ${some}`);
}
