/** Formats changes as lines for a person: time, record, and changed fields. */
import type { SyncName } from '../../../client/client.ts';
import { kindOf } from '../../../contract/schemas.ts';
import { localTime } from '../../input/when.ts';
import type { FindLabels, Labels } from '../../output/output.ts';
import type { Row } from '../../output/view.ts';
import { labelRuleOf } from '../../resources/labels.ts';
import { referencesIn } from '../../resources/operation.ts';
import type { Styles } from '../../terminal/style.ts';
import { sanitize, words } from '../../terminal/text.ts';
import { resourceOf } from '../bulk/resources.ts';

/** More fields of one change are only counted. */
const maxFields = 4;
/** Remembered records for comparison; the oldest are forgotten first. */
const maxRemembered = 10_000;

const hiddenFields: ReadonlySet<string> = new Set(['updatedAt', 'createdAt', 'id', 'teamId']);

interface Difference {
  readonly field: string;
  readonly before: unknown;
  readonly now: unknown;
}

export class ChangeLines {
  readonly #name: SyncName;
  readonly #styles: Styles;
  readonly #findLabels: FindLabels;
  readonly #references: Readonly<Record<string, string>>;
  readonly #remembered = new Map<string, Row>();

  constructor(name: SyncName, styles: Styles, find: FindLabels) {
    this.#name = name;
    this.#styles = styles;
    this.#findLabels = find;
    this.#references = referencesIn(resourceOf(name));
  }

  /** Remembers a record for later comparison. */
  remember(record: Row): void {
    this.#remembered.delete(record.id);
    this.#remembered.set(record.id, record);
    if (this.#remembered.size > maxRemembered)
      this.#remembered.delete(this.#remembered.keys().next().value as string);
  }

  /** A line with a line feed for each change. Records created after `since` are new. */
  async format(records: readonly Row[], since: string | undefined): Promise<string> {
    const changes = records.map((record) => ({ record, differences: this.#differences(record) }));
    for (const record of records) this.remember(record);
    const labels = await this.#labelsOf(changes.flatMap(({ differences = [] }) => differences));
    return changes
      .map(({ record, differences }) => this.#line(record, differences, labels, since))
      .join('');
  }

  #differences(record: Row): Difference[] | undefined {
    const before = this.#remembered.get(record.id);
    if (!before) return undefined;
    return Object.keys(record)
      .filter(
        (field) =>
          !hiddenFields.has(field) &&
          JSON.stringify(before[field]) !== JSON.stringify(record[field]),
      )
      .map((field) => ({ field, before: before[field], now: record[field] }));
  }

  async #labelsOf(differences: readonly Difference[]): Promise<Labels> {
    const wanted = new Map<string, Set<string>>();
    for (const { field, before, now } of differences) {
      const resource = this.#references[field];
      if (!resource) continue;
      const ids = wanted.get(resource) ?? new Set();
      for (const id of [before, now]) if (typeof id === 'string') ids.add(id);
      wanted.set(resource, ids);
    }
    return wanted.size > 0 ? this.#findLabels(wanted) : new Map();
  }

  #line(
    record: Row,
    differences: readonly Difference[] | undefined,
    labels: Labels,
    since: string | undefined,
  ): string {
    const { singular } = resourceOf(this.#name);
    const title = sanitize(String(labelRuleOf(this.#name)?.label(record) ?? '')) || record.id;
    const isNew =
      differences === undefined &&
      (since === undefined || Date.parse(record.createdAt) >= Date.parse(since));
    const described = (differences ?? [])
      .slice(0, maxFields)
      .map((difference) => this.#describe(difference, labels));
    const more = (differences ?? []).length - described.length;
    const what = [...described, ...(more > 0 ? [`${more} more`] : [])].join(', ');
    const did = isNew ? this.#styles.success('created') : 'updated';
    return `${this.#styles.dim(clock(record.updatedAt))} ${sanitize(singular)} ${this.#styles.strong(title)} ${did}${what ? `: ${what}` : ''}\n`;
  }

  #describe({ field, before, now }: Difference, labels: Labels): string {
    const name = words(field).replace(/ ID$/, '').toLowerCase();
    const [from, to] = [before, now].map((value) => this.#value(field, value, labels));
    return `${name} ${from} → ${to}`;
  }

  #value(field: string, value: unknown, labels: Labels): string {
    if (value === null || value === undefined || value === '') return 'none';
    const label = labels.get(this.#references[field] ?? '')?.get(String(value));
    if (label !== undefined) return sanitize(label);
    const schema = resourceOf(this.#name).fields[field]?.schema;
    if (schema && kindOf(schema) === 'timestamp') return sanitize(localTime(value));
    return short(sanitize(typeof value === 'string' ? value : JSON.stringify(value)));
  }
}

const short = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 39).trimEnd()}…` : text;

/** `14:02:11` in local time. */
function clock(iso: unknown): string {
  const time = new Date(String(iso));
  if (Number.isNaN(time.getTime())) return '--:--:--';
  return [time.getHours(), time.getMinutes(), time.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
