/** How PostgreSQL plans the prepared statements of lists. */
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../../src/contract/contract.ts';
import { createTeam } from '../../../../src/service/admin.ts';
import { list } from '../../../../src/service/lists.ts';
import { openStores } from '../../../../src/service/stores.ts';
import { makeFolder } from '../../../helpers/folder.ts';
import { newDatabase } from '../../../helpers/postgres.ts';

test('a filtered list is always planned for the values of its filter', async () => {
  // Statements are prepared for each connection.
  const stores = await openStores({
    data: await makeFolder(),
    database: await newDatabase(),
    limits: { connections: 1 },
  });
  onTestFinished(() => stores.database.close());
  const team = await createTeam({ ...stores, actor: 'test' }, { name: 'Planned' });
  const access = stores.database.ofTeam(team.id);
  const { textOf, search } = stores.database;
  for (let times = 0; times < 10; times++)
    await list({ ...access, team, textOf, search }, contract.cars, { status: 'stored' }, undefined);
  const { rows } = await access.snapshot((db) =>
    sql`select statement from pg_prepared_statements where statement like '%"status" = %' and statement not like '%pg_prepared%'`.execute(
      db,
    ),
  );
  // No plan is kept for it.
  expect(rows).toEqual([]);
});
