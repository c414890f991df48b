import type { Admin } from '../../../service/admin.ts';
import type { Context } from '../../context.ts';
import { CliError, usage } from '../../errors/exit.ts';
import type { Command, Input } from '../../framework/command.ts';
import { localTime } from '../../input/when.ts';
import { askOption } from '../../prompts/prompts.ts';
import { recordWrite } from '../../terminal/ledger.ts';
import { joinList, sanitize } from '../../terminal/text.ts';
import { addDataFlags, readDataSource, withExistingData } from '../data/data-folder.ts';

export type AdminTask = (context: Context, admin: Admin, input: Input) => Promise<void>;

/** Adds the flags of the service's data, and runs the task with the data open. */
export function handleAdminTask(
  command: Command,
  task: AdminTask,
  openData: typeof withExistingData = withExistingData,
): Command {
  return addDataFlags(command).handle(async (context, input) => {
    const source = readDataSource(context.io, input.options);
    await openData(source, async () => {
      const { openStores } = await import('../../../service/stores.ts');
      const stores = await openStores(source);
      try {
        await task(context, { ...stores, actor: context.io.user() }, input);
      } finally {
        await stores.database.close();
      }
    });
  });
}

/** For a command about one team: adds `--team` too, and gives the task the team's slug in `options.team`. */
export function handleTeamTask(command: Command, task: AdminTask): Command {
  command.option('--team <team>', 'slug or name of the team (default: the only one)');
  return handleAdminTask(command, async (context, admin, input) =>
    task(context, admin, {
      ...input,
      options: { ...input.options, team: input.options.team ?? (await chooseTeam(context, admin)) },
    }),
  );
}

/** The only team; with several a prompt, or a usage error in a script. */
async function chooseTeam(context: Context, admin: Admin): Promise<string> {
  const { listTeams } = await import('../../../service/admin.ts');
  const teams = await listTeams(admin);
  const [only, second] = teams;
  if (!only)
    throw new CliError({
      code: 'not_found',
      message: 'No teams exist yet.',
      hint: 'create one with `cs admin team create "My garage"`',
      exitCode: 6,
    });
  if (!second) return only.slug;
  if (!context.interactive)
    throw usage(
      'Missing required flag: --team.',
      `choose from ${joinList(teams.map(({ slug }) => slug))}`,
    );
  return askOption(context, {
    label: 'Which team?',
    options: teams.map(({ name, slug }) => ({ name: sanitize(name), value: slug, about: slug })),
  });
}

interface ByName<R, T> {
  /** Takes an id too. Throws `AmbiguousName` where several have the name. */
  readonly run: (name: string) => Promise<T>;
  /** `key` */
  readonly one: string;
  /** `prefix` */
  readonly identifier: string;
  /** A line for each, by which people tell them apart. */
  readonly describe: (rows: readonly R[]) => Promise<string[]>;
}

/** Where several have the name, asks which is meant; in a script exit 14 with the candidates. */
export async function runByName<R extends { readonly id: string }, T>(
  context: Context,
  name: string,
  { run, one, identifier, describe }: ByName<R, T>,
): Promise<T> {
  const { AmbiguousName } = await import('../../../service/admin.ts');
  const result = await run(name).catch((error) => {
    if (error instanceof AmbiguousName) return error;
    throw error;
  });
  if (!(result instanceof AmbiguousName)) return result;
  const rows: readonly R[] = result.candidates;
  const lines = await describe(rows);
  const candidates = rows.map(({ id }, at) => ({ id, name: lines[at] as string }));
  if (!context.interactive)
    throw new CliError({
      code: 'ambiguous_name',
      message: `${result.message}.`,
      hint: `name one ${one} by its ${identifier}`,
      details: { candidates },
    });
  const id = await askOption(context, {
    label: `Which ${one} "${sanitize(name)}"?`,
    options: candidates.map((row) => ({ name: row.name, value: row.id })),
  });
  return run(id);
}

/** `created 2026-03-01 12:00 · never used` */
export const ageOf = (createdAt: string, lastAt: string | null, word: 'used' | 'seen'): string =>
  `created ${localTime(createdAt)} · ${lastAt ? `last ${word} ${localTime(lastAt)}` : `never ${word}`}`;

/** The result of a write: noted for a break of the output, printed as text for people and as the value for scripts. */
export async function report({ io, output }: Context, did: string, value: unknown): Promise<void> {
  recordWrite(io, { did });
  await output.value(value, did);
}
