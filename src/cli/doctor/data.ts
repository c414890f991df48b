/** The data of a service on this machine. */
import { existsSync } from 'node:fs';
import { dataFolder } from '../data-folder.ts';
import type { Io } from '../io.ts';
import { quote } from '../text.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Nothing where no service ever kept data. */
export async function checkDataFolder(io: Io): Promise<Finding[]> {
  const name = 'data';
  const data = dataFolder(io, undefined);
  if (!existsSync(data)) return [];
  const { findOpen } = await import('../../service/private-files.ts');
  const open = findOpen(data);
  if (open.length === 0) return [ok(name, `${data}, for its owner only`)];
  const [path = data] = open;
  return [
    warning(name, `${path} is open to other users of this machine`, {
      lines: open.slice(1),
      hint: `close it with \`chmod go= ${open.map(quote).join(' ')}\``,
    }),
  ];
}
