/** Runs one function of admin.ts on a folder and its database in a separate process, like `cs admin`, and prints the result as JSON. */
import {
  type Admin,
  createKey,
  createTeam,
  listKeys,
  revokeKey,
  setIntegration,
} from '../../src/service/admin.ts';
import { openStores } from '../../src/service/stores.ts';

const [place = '', act = '', ...given] = process.argv.slice(2);
const stores = await openStores(JSON.parse(place));
const acts = { createKey, createTeam, listKeys, revokeKey, setIntegration };
const perform = acts[act as keyof typeof acts] as (
  admin: Admin,
  ...given: unknown[]
) => Promise<unknown>;
const result = await perform(
  { ...stores, actor: 'script' },
  ...given.map((text) => JSON.parse(text)),
);
await stores.database.close();
process.stdout.write(JSON.stringify(result));
