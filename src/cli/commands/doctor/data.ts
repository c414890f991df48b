/** The data of a service on this machine. */
import { existsSync } from 'node:fs';
import { CliError } from '../../errors/exit.ts';
import { reportOf } from '../../errors/text.ts';
import type { Io } from '../../terminal/io.ts';
import { quote } from '../../terminal/text.ts';
import { dataFolder, onData } from '../data-folder.ts';
import { spanText } from '../server-clock.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Nothing where no service ever kept data. */
export async function checkDataFolder(io: Io): Promise<Finding[]> {
  const data = dataFolder(io, undefined);
  if (!existsSync(data)) return [];
  return [await checkAccess(data), ...(await checkRestore(data)), ...(await checkDataClock(data))];
}

/** Nothing unless a restore into the folder is at work or was cut off. */
async function checkRestore(data: string): Promise<Finding[]> {
  const { refuseUnfinishedRestore } = await import('../../../service/data-folder/unfinished-restore.ts');
  const error = await onData({ data }, async () => refuseUnfinishedRestore(data)).catch((error: unknown) => error);
  if (!(error instanceof CliError) || error.code !== 'restore_unfinished') return [];
  const { message, hint } = reportOf(error);
  return [warning('data-restore', message, { hint })];
}

async function checkAccess(data: string): Promise<Finding> {
  const name = 'data';
  const { findExposedPaths } = await import('../../../service/data-folder/private-files.ts');
  const open = findExposedPaths(data);
  if (open.length === 0) return ok(name, `${data}, for its owner only`);
  const [path = data] = open;
  return warning(name, `${path} is open to other users of this machine`, {
    lines: open.slice(1),
    hint: `close it with \`chmod go= ${open.map(quote).join(' ')}\``,
  });
}

/** Nothing unless the clock has jumped: `cs admin check` tells what else is wrong with the data. */
async function checkDataClock(data: string): Promise<Finding[]> {
  const { findClockLeadIn } = await import('../../../service/warnings.ts');
  const lead = await findClockLeadIn(data).catch(() => undefined);
  if (!lead) return [];
  return [
    warning('data-clock', `this machine's clock is ${spanText(lead.aheadMs)} behind the latest change in ${data}`, {
      lines: ['it was set back, or was wrong before; until it catches up, updatedAt is ahead of it'],
      hint: 'check the date with `date -u`, and that this machine keeps its time in step',
    }),
  ];
}
