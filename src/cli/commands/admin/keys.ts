/** `cs admin key`. */
import { scopes } from '../../../contract/scopes.ts';
import type { ApiKeyRow } from '../../../service/database/tables.ts';
import { usage } from '../../errors/exit.ts';
import { type Command, Option } from '../../framework/command.ts';
import { collect } from '../../framework/flags.ts';
import { nextCommand } from '../../framework/next-command.ts';
import { parseExpiry } from '../../input/when.ts';
import { timeColumn, type View } from '../../output/view.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { localAddress } from '../data/dashboard-address.ts';
import { readDataSource } from '../data/data-folder.ts';
import { ageOf, handleAdminTask, handleTeamTask, report, runByName } from './admin-task.ts';

const loadService = () => import('../../../service/admin.ts');

export function addKeys(key: Command): void {
  key.examples([
    'cs admin key create --team garage-nord --name counter --all-scopes',
    'cs admin key list --team garage-nord',
  ]);
  const create = key
    .command('create')
    .description('Create a key. It is shown once: only its hash is stored.')
    .requiredOption('--name <name>', 'purpose of the key')
    .addOption(
      new Option('--scope <scope>', 'a scope of the key; repeatable')
        .choices(scopes)
        .argParser(parseScope)
        .conflicts('allScopes'),
    )
    .option('--all-scopes', 'all scopes')
    .option('--expires <when>', 'expiry: 90d, 2027-01-31 or an ISO time (default: never)');
  handleTeamTask(create, async ({ io, output, note }, admin, { options }) => {
    const { createKey } = await loadService();
    if (!options.scope && !options.allScopes)
      throw usage(
        'A key needs at least one --scope, or --all-scopes.',
        `choose from ${scopes.join(', ')}`,
      );
    const expiresAt =
      options.expires === undefined
        ? undefined
        : parseExpiry(options.expires, io.now(), '--expires');
    const created = await createKey(admin, {
      team: options.team,
      name: options.name,
      scopes: options.allScopes ? scopes : options.scope,
      expiresAt,
    });
    const revokeCommand = nextCommand(['admin', 'key', 'revoke', publicKey(created.row).prefix]);
    const hint = `the key won't be shown again: revoke it with \`${revokeCommand}\`, then create another`;
    recordWrite(io, { did: `key ${publicKey(created.row).prefix} created`, hint });
    await output.value({ key: created.key, ...publicKey(created.row) }, created.key);
    note(
      `The key won't be shown again. Sign in with it: ${await loginCommand(readDataSource(io, options).data)}`,
    );
  });
  create.examples([
    'cs admin key create --team garage-nord --name counter --all-scopes',
    'cs admin key create --team garage-nord --name nightly-sync --scope read:cars --scope read:parking --expires 90d',
  ]);

  const list = key.command('list').description('List the keys of a team, without their secrets.');
  handleTeamTask(list, async ({ io, output }, admin, { options }) => {
    const { listKeys } = await loadService();
    const now = io.now().toISOString();
    await output.list({
      view: keyView(now),
      records: (await listKeys(admin, options.team)).map(publicKey),
    });
  });
  list.examples([
    'cs admin key list --team garage-nord',
    'cs admin key list --team garage-nord -o json',
  ]);

  const revoke = key
    .command('revoke')
    .description('Revoke a key permanently.')
    .argument('<key>', 'prefix (csk_…), id or name of the key')
    .option('--team <team>', 'slug or name of the team that the key belongs to');
  handleAdminTask(revoke, async (context, admin, { args: [name], options }) => {
    const { listTeams, revokeKey } = await loadService();
    const row = await runByName<ApiKeyRow, ApiKeyRow>(context, name, {
      run: (key) => revokeKey(admin, key, options.team),
      one: 'key',
      identifier: 'prefix',
      async describe(keys) {
        const teams = new Map((await listTeams(admin)).map((team) => [team.id, team.slug]));
        return keys.map((key) =>
          [
            publicKey(key).prefix,
            teams.get(key.teamId),
            ageOf(key.createdAt, key.lastUsedAt, 'used'),
          ].join(' · '),
        );
      },
    });
    const revoked = publicKey(row);
    await report(context, `key ${revoked.prefix} (${revoked.name}) revoked`, revoked);
  });
  revoke.examples([
    'cs admin key revoke csk_abcdefgh2345',
    'cs admin key revoke counter --team garage-nord',
  ]);
}

/** With the address of the running service of this data: a profile may name another server. */
async function loginCommand(folder: string): Promise<string> {
  const { runningService } = await import('../../../service/data-folder/lock.ts');
  const local = localAddress(runningService(folder)?.url);
  return nextCommand(['auth', 'login', ...(local ? ['--base-url', local] : [])]);
}

/** Commander drops `choices` when a flag has its own parser. */
function parseScope(value: string, before: string[] | undefined): string[] {
  if (!(scopes as readonly string[]).includes(value))
    throw usage(`"${value}" (--scope) isn't a scope.`, `choose from ${scopes.join(', ')}`);
  return collect(value, before);
}

/** What is shown of a key. A list, so that a new column isn't shown by itself. */
const publicKey = (row: ApiKeyRow) => ({
  id: row.id,
  teamId: row.teamId,
  name: row.name,
  prefix: `csk_${row.prefix}`,
  scopes: row.scopes,
  expiresAt: row.expiresAt,
  revokedAt: row.revokedAt,
  lastUsedAt: row.lastUsedAt,
  createdBy: row.createdBy,
  replacesId: row.replacesId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const keyView = (now: string): View => ({
  one: 'key',
  many: 'keys',
  columns: [
    { header: 'key', cell: (key) => key.prefix, neverCut: true },
    { header: 'name', cell: (key) => key.name },
    {
      header: 'state',
      cell: (key) =>
        key.revokedAt ? 'revoked' : key.expiresAt && key.expiresAt <= now ? 'expired' : 'valid',
    },
    {
      header: 'scopes',
      cell: (key) => (key.scopes.length === scopes.length ? 'all' : key.scopes.join(' ')),
    },
    {
      header: 'expires',
      cell: (key, { time }) => (key.expiresAt ? time(key.expiresAt) : 'never'),
      droppable: true,
    },
    {
      ...timeColumn('last used', 'lastUsedAt'),
      cell: (key, { time }) => (key.lastUsedAt ? time(key.lastUsedAt) : 'never'),
    },
  ],
  title: (key) => key.name,
  emptyHint: 'Create one with `cs admin key create --team TEAM --name NAME --all-scopes`.',
});
