/** The documentation of the interface as a page, made from the interface description. Static: no script, and nothing from elsewhere. */
import { problems } from '../contract/problems.ts';
import type { Json } from './schema.ts';

export interface DocsParts {
  /** The interface description. */
  readonly document: Json;
  /** A line for `cs` by the id of its operation. */
  readonly commands: Readonly<Record<string, string>>;
  readonly style: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a document as others read it
type Any = any;

const escaped = (text: unknown): string =>
  String(text).replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);
/** Text with `code` in it. */
const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
/** Long paths may break after a slash. */
const path = (text: string): string =>
  escaped(text)
    .replaceAll('/', '/<wbr>')
    .replace(/\{\w+\}/g, '<i>$&</i>');
const anchor = (name: string): string => name.replace(/[^a-z]+/g, '-');

export function docsPage({ document, commands, style }: DocsParts): string {
  const { paths, tags, info } = document as Any;
  const operations: Any[] = Object.entries<Any>(paths).flatMap(([at, methods]) =>
    Object.entries<Any>(methods).map(([method, operation]) => ({
      ...operation,
      path: at,
      method: method.toUpperCase(),
    })),
  );
  const groups = tags.map(({ name, description }: Any) => ({
    name,
    description,
    operations: operations.filter((operation) => operation.tags[0] === name),
  }));
  const title = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase());
  const contents = groups
    .map(({ name }: Any) => `<li><a href="#${anchor(name)}">${escaped(title(name))}</a></li>`)
    .join('\n');
  const resources = groups
    .map(
      ({ name, description, operations: own }: Any) => `<section id="${anchor(name)}">
<h2>${escaped(title(name))}</h2>
<p>${prose(description)}</p>
<ul class="index">
${own.map((operation: Any) => `<li><a href="#${operation.operationId}">${line(operation)}</a></li>`).join('\n')}
</ul>
${own.map((operation: Any) => describeOperation(operation, document, commands)).join('\n')}
</section>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escaped(info.title)}: the interface</title>
<style>${style}</style>
<header>
<p class="over"><a href="/">Car storage</a> · version ${escaped(info.version)}</p>
<h1>The interface</h1>
<p class="lead">${prose(info.summary)} ${operations.length} operations over HTTP and JSON; <a href="/api/v1/openapi.json">the same as an OpenAPI document</a>.</p>
</header>
<nav aria-label="Contents">
<details><summary>Contents</summary>
<ul>
${guide.map(({ id, heading }) => `<li><a href="#${id}">${heading}</a></li>`).join('\n')}
<li><a href="#errors">Errors</a></li>
</ul>
<ul>
${contents}
</ul>
</details>
</nav>
<main>
${guide.map(({ id, heading, text }) => `<section id="${id}">\n<h2>${heading}</h2>\n${text}\n</section>`).join('\n')}
${errors()}
${resources}
</main>
</html>
`;
}

const line = ({ method, path: at, summary }: Any): string =>
  `<span class="call"><b class="${method.toLowerCase()}">${method}</b> <code>${path(at)}</code></span> <span class="what">${escaped(summary)}</span>`;

const block = (kind: string, text: string): string =>
  `<figure><figcaption>${kind}</figcaption><pre tabindex="0"><code>${escaped(text)}</code></pre></figure>`;

const guide = [
  {
    id: 'first',
    heading: 'First request',
    text: `<p>Every request needs a key of your team, as <code>x-api-key</code> or as a bearer token. A team admin makes one in the <a href="/dashboard/">dashboard</a>. A key has scopes; each operation names those that it needs.</p>
${block(
  'Shell',
  `export CS_BASE_URL=https://cars.example.com CS_API_KEY=csk_…
curl "$CS_BASE_URL/api/v1/me" -H "x-api-key: $CS_API_KEY"
cs cars list`,
)}
<p>The examples below use these two variables. <code>cs</code> takes names and licence plates where the interface takes ids.</p>`,
  },
  {
    id: 'answers',
    heading: 'Answers',
    text: `<p>A record is <code>{ data }</code>, a list <code>{ data, page, limit, total }</code>, an error <code>{ error, code, details }</code>. Fields that hold nothing are <code>null</code> and never left out. Times are UTC with milliseconds; times that you send need an offset.</p>
<p>A <code>PATCH</code> changes the fields that it names. Unknown fields and parameters are refused.</p>`,
  },
  {
    id: 'lists',
    heading: 'Lists',
    text: `<p><code>page</code> starts at 1, <code>limit</code> is 50 and at most 200, <code>total</code> counts all pages. Filters can be combined. <code>ids</code> takes up to 200 ids.</p>
<p>To follow changes, ask for <code>updatedAfter</code> with the <code>updatedAt</code> of the newest record that you have: the answer also has records that changed at that very moment.</p>`,
  },
  {
    id: 'limits',
    heading: 'Limits',
    text: `<p>Unless the operator has set others: 600 requests a minute for each key, at most 100 of them at once, and 60 uploads a minute. <code>RateLimit</code> of each answer says how many are left, <code>RateLimit-Policy</code> what the limits are. Above them the answer is 429 <code>rate_limited</code>, and <code>Retry-After</code> says how many seconds to wait.</p>
<p>A body has at most 256 KB; photos and assets more, as their operations say.</p>`,
  },
  {
    id: 'retries',
    heading: 'Retries',
    text: `<p>A request without an answer may have been stored. <code>GET</code>, <code>PATCH</code> and <code>DELETE</code> can be sent again. Send a <code>POST</code> with an <code>Idempotency-Key</code> of your own, and repeat it with the same key: within 24 hours the record is made once, and the repeat gets the first answer.</p>
<p>Retry after 429 and 503, with a pause that grows; <code>Retry-After</code> comes first. Other errors stay the same until you change the request. <code>cs</code> and the typed client do all of this by themselves.</p>`,
  },
];

function errors(): string {
  const rows = Object.entries(problems)
    .toSorted(([, one], [, other]) => one.status - other.status)
    .map(
      ([code, { status, about }]) =>
        `<tr id="error-${code}"><td>${status}</td><td><code>${code.replaceAll('_', '_<wbr>')}</code></td><td>${prose(about)}</td></tr>`,
    );
  return `<section id="errors">
<h2>Errors</h2>
<p><code>code</code> is for programs, <code>error</code> for people. <code>X-Request-Id</code> of the answer finds the request in the log of the service.</p>
<table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
</section>`;
}

function describeOperation(operation: Any, document: Any, commands: DocsParts['commands']): string {
  const { operationId, method, path: at, summary, description, requestBody, responses } = operation;
  const parameters = operation.parameters.filter(({ in: place }: Any) => place !== 'path');
  const [success, answer] = Object.entries<Any>(responses).find(([status]) => status < '3') ?? [];
  const body = requestBody?.content['application/json'];
  const codes = [404, 422].flatMap((status) => responses[status]?.['x-codes'] ?? []);
  const more = description.replace(`${summary}.`, '').trim();
  const command = commands[operationId];
  return `<article id="${operationId}">
<h3><a href="#${operationId}">${escaped(summary)}</a></h3>
<p class="call"><b class="${method.toLowerCase()}">${method}</b> <code>/api/v1${path(at)}</code></p>
${more ? `<p>${prose(more)}</p>` : ''}
${parameters.length > 0 ? fields('Parameters', parameters.map(asField)) : ''}
${body ? fields('Body', bodyFields(resolve(body.schema, document))) : ''}
${block('curl', curl(operation, body && exampleIn(body, document)))}
${command ? block('cs', command) : ''}
${answerOf(success, answer, document)}
${codes.length > 0 ? `<p class="codes">Errors: ${codes.map((code: string) => `<a href="#error-${code}"><code>${code}</code></a>`).join(' ')}</p>` : ''}
</article>`;
}

interface Field {
  readonly name: string;
  readonly schema: Any;
  readonly about: string;
  readonly required: boolean;
}

const asField = ({ name, schema, description, required = false }: Any): Field => ({
  name,
  schema,
  about: description,
  required,
});

const bodyFields = ({ properties = {}, required = [] }: Any): Field[] =>
  Object.entries<Any>(properties).map(([name, schema]) => ({
    name,
    schema,
    about: schema.description ?? '',
    required: required.includes(name),
  }));

const fields = (heading: string, all: readonly Field[]): string => `<details>
<summary>${heading} <span class="count">${all.map(({ name, required }) => (required ? `<b>${name}</b>` : name)).join(', ')}</span></summary>
<dl>
${all.map(({ name, schema, about, required }) => `<dt><code>${name}</code> <span>${escaped(typeOf(schema))}${required ? ', <b>required</b>' : ''}</span></dt><dd>${prose(about)}</dd>`).join('\n')}
</dl>
</details>`;

function typeOf(schema: Any): string {
  const { type, enum: choices, format, items, minimum, maximum, maxLength, maxItems } = schema;
  if (choices) return choices.filter((choice: unknown) => choice !== null).join(' | ');
  const [kind = 'any', ...rest] = [type].flat().filter((one) => one !== 'null');
  const formats: Record<string, string> = { uuid: 'id', 'date-time': 'time' };
  const bounds =
    minimum !== undefined && maximum !== undefined
      ? ` ${minimum} to ${maximum}`
      : maxLength
        ? `, up to ${maxLength} characters`
        : '';
  if (kind === 'array')
    return `list of ${items ? typeOf(items) : 'values'}${maxItems ? `, up to ${maxItems}` : ''}`;
  if (rest.length > 0) return [kind, ...rest].join(' or ');
  return format ? (formats[format] ?? format) : `${kind === 'string' ? 'text' : kind}${bounds}`;
}

const resolve = (schema: Any, { components }: Any): Any =>
  schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)] : schema;

function exampleIn({ examples = {} }: Any, { components }: Any): unknown {
  const [first] = Object.keys(examples);
  return first === undefined ? undefined : components.examples[first]?.value;
}

function curl(
  { operationId, method, path: at, parameters, responses }: Any,
  body: unknown,
): string {
  const filled = parameters.reduce(
    (address: string, { name, in: place, example }: Any) =>
      place === 'path' ? address.replace(`{${name}}`, example) : address,
    at,
  );
  const wanted = parameters
    .filter(
      ({ in: place, required, name }: Any) => place === 'query' && (required || name === 'limit'),
    )
    .map(({ name, example }: Any) => `${name}=${encodeURIComponent(example)}`);
  const url = `"$CS_BASE_URL/api/v1${filled}${wanted.length > 0 ? `?${wanted.join('&')}` : ''}"`;
  const bytes = !responses[200]?.content?.['application/json'] && method === 'GET';
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${url}`,
    operationId === 'openapi.get' ? '' : '-H "x-api-key: $CS_API_KEY"',
    method === 'POST' ? '-H "idempotency-key: $(uuidgen)"' : '',
    bytes ? '-o file' : '',
    body === undefined
      ? ''
      : `-H "content-type: application/json" \\\n  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
  ]
    .filter(Boolean)
    .join(' \\\n  ');
}

function answerOf(status: string | undefined, answer: Any, document: Any): string {
  const json = answer?.content?.['application/json'];
  if (!json) return `<p class="codes">Answer: ${status}, the bytes.</p>`;
  const example = exampleIn(json, document);
  if (example === undefined) return `<p class="codes">Answer: ${status}, JSON.</p>`;
  return `<details><summary>Answer <span class="count">${status}</span></summary>
${block('JSON', JSON.stringify(example, null, 2))}
</details>`;
}

/** The first page of a service. Its line of the dashboard is left out where there is none. */
export const homePage = (style: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Car storage</title>
<style>${style}</style>
<main class="home">
<h1>Car storage</h1>
<p class="lead">This service keeps the records of a car storage facility: its cars, customers, places, appointments and photos.</p>
<ul>
<li><a href="/dashboard/">Dashboard</a> <span>for the team: the board, cars, keys</span></li>
<li><a href="/docs">Interface</a> <span>every operation, with examples for curl and cs</span></li>
<li><a href="/api/v1/openapi.json">OpenAPI</a> <span>the same for programs</span></li>
</ul>
</main>
</html>
`;
