/** What every command asks a server and shows a person: one text to compare, of a line of each command against a server of examples. */
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { everyLine } from '../../helpers/every-line.ts';
import { makeFolder } from '../../helpers/folder.ts';
import type { SeenRequest } from '../../helpers/misbehaving-server.ts';
import { forMany } from '../../helpers/offenders.ts';

const lines = await everyLine();
afterAll(() => lines.close());

/** The day of the examples, so that none is far away. */
const now = new Date('2026-11-20T08:30:00Z');

/** Of this machine, or texts of their own: their tests have them. */
const others = new Set([
  ...['auth', 'completion', 'config', 'doctor', 'explain', 'export', 'man', 'mcp', 'profiles'],
  ...['schema', 'sync', 'version', 'watch'],
]);

const requestText = ({ method, url, body }: SeenRequest) =>
  `> ${method} ${decodeURIComponent(url.replace('/api/v1', ''))} ${String(body ?? '').slice(0, 200)}`.trimEnd();

/** What is read side by side arrives in any order: it is sorted between two writes. */
function requestTexts(requests: readonly SeenRequest[]): string[] {
  const texts: string[] = [];
  let reads: string[] = [];
  for (const request of requests) {
    if (request.method === 'GET') reads.push(requestText(request));
    else {
      texts.push(...reads.sort(), requestText(request));
      reads = [];
    }
  }
  return [...texts, ...reads.sort()];
}

/** Ids are one word; what every record has, and what the clock of the machine says, is left out. */
const shorten = (text: string) =>
  text
    .replaceAll(lines.server.url, 'http://SERVER')
    .replaceAll(/019aa0a3-4d00-7000-8000-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/^! The server's clock [^!]*!.*\n/gm, '')
    .replaceAll(/^(ID|Team ID|Created at|Updated at) .*\n/gm, '');

test(
  'every command asks for what it needs, and shows a person what it found or did',
  async () => {
    vi.stubEnv('TZ', 'UTC');
    onTestFinished(() => void vi.unstubAllEnvs());
    const shown: string[] = [];
    for (const known of lines.all.filter(({ words }) => !others.has(words[0] as string))) {
      const { stdout, stderr, requests } = await lines.run(known, {
        as: 'terminal',
        now,
        flags: ['-o', 'table'],
        // Without what an earlier run has saved.
        ...(known.words.at(-1) === 'download' && { cwd: await makeFolder() }),
      });
      const parts = [
        `$ cs ${known.line.filter((word) => word !== '--yes').join(' ')}`,
        ...requestTexts(requests),
        stderr && `! ${stderr.trim().replaceAll('\n', '\n! ')}`,
        stdout.replace(/^\n/, '').trimEnd(),
      ];
      shown.push(...parts.filter(Boolean), '');
    }
    await expect(shorten(shown.join('\n'))).toMatchFileSnapshot('shown.txt');
  },
  forMany,
);
