import type {
  DashboardContract,
  DashboardCreate,
  DashboardName,
  DashboardRecord,
  DashboardUpdate,
} from '../../../contract/dashboard/dashboard.ts';
import type { Context, ReadContext } from '../../context.ts';
import type { TeamAccess } from '../../database/database.ts';
import type { ListQuery, Page } from '../../lists.ts';
import type { Row } from '../../records.ts';
import type { BrowserSession } from '../../team/sessions.ts';

/** A read of an admin. */
export interface Reading extends ReadContext, Pick<TeamAccess, 'snapshot' | 'heavy' | 'write'> {
  readonly session: BrowserSession;
  /** What the files of a team without a limit of its own may take, in bytes; null for any amount. */
  readonly teamQuota: number | null;
  readonly now: Date;
}

/** A write of an admin: one transaction. */
export interface Writing extends Context {
  readonly session: BrowserSession;
  /** For the audit log. */
  readonly actor: string;
  /** The address of a one-time link. */
  readonly linkTo: (token: string) => string;
}

/** What a create makes. */
export interface Made<T> {
  readonly record: T;
  /** Fields of the record that only this answer has: no replay of it, and no later read. */
  readonly shownOnce?: Partial<T>;
}

interface Verbs<N extends DashboardName> {
  /** All records, or one page of many. */
  list: (
    reading: Reading,
    query: ListQuery,
  ) => Promise<readonly DashboardRecord<N>[] | Page<DashboardRecord<N>>>;
  get: (reading: Reading, query: Row, id: string) => Promise<DashboardRecord<N>>;
  create: (
    writing: Writing,
    body: DashboardCreate<N>,
    parentId: string,
  ) => Promise<Made<DashboardRecord<N>>>;
  update: (writing: Writing, body: DashboardUpdate<N>, id: string) => Promise<DashboardRecord<N>>;
  delete: (writing: Writing, id: string) => Promise<void>;
}

/** A rule for each operation: the records are made by hand, since their tables hold secrets. */
export type DashboardRulesOf<N extends DashboardName> = Pick<
  Verbs<N>,
  keyof Verbs<N> & keyof DashboardContract[N]['operations']
>;
