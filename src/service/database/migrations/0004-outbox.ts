import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { column } from '../columns.ts';

/** What is to go out, whatever kind of thing it is. */
export const outbox: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('outbox')
      .addColumn('teamId', 'text', (team) => team.notNull().references('teams.id'))
      .addColumn('kind', 'text', (kind) => kind.notNull())
      .addColumn('recordId', 'text', (record) => record.notNull())
      .addColumn('dueAt', column.timestamp, (at) => at.notNull())
      .addColumn('channel', 'text')
      .addColumn('claim', 'text')
      .addColumn('withdrawn', column.boolean, (withdrawn) => withdrawn.notNull())
      .addColumn('attempts', 'integer', (attempts) => attempts.notNull())
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('outbox_key', ['teamId', 'kind', 'recordId'])
      .execute();
    // Taken across teams, the longest due first; those that nothing carries stand apart.
    await db.schema.createIndex('outbox_due').on('outbox').columns(['channel', 'dueAt']).execute();
  },
};
