/** The command's numbers as a table, and as a section of the documentation. */
import type { CommandResult } from './command.ts';
import { machine, markdownTable, mega, whole } from './words.ts';

const leastThroughput = 0.5;
const memoryLimit = 220 * 1024 * 1024;
const tableLimitMs = 1_500;

const verdict = (ok: boolean): string => (ok ? 'ok' : '**short**');

export function commandTable({ starts, stream, table }: CommandResult): string {
  const throughput = stream.floorMs / stream.oursMs;
  return markdownTable([
    ['whole process', 'ours', 'floor', '', 'ratio', 'target', ''],
    ...starts.map(({ name, ours, floor, than, most }) => [
      name,
      `${ours.toFixed(1)} ms`,
      `${floor.toFixed(1)} ms`,
      than,
      (ours / floor).toFixed(2),
      `at most ${most}`,
      verdict(ours / floor <= most),
    ]),
    [
      `cs cars list --all -o ndjson, ${whole(stream.records)} records`,
      `${whole((stream.records / stream.oursMs) * 1000)}/s`,
      `${whole((stream.records / stream.floorMs) * 1000)}/s`,
      'loop over undici',
      throughput.toFixed(2),
      `at least ${leastThroughput}`,
      verdict(throughput >= leastThroughput),
    ],
    [
      'memory of that at its most',
      mega(stream.peakMemory),
      mega(stream.floorMemory),
      'loop over undici',
      (stream.peakMemory / stream.floorMemory).toFixed(2),
      `below ${mega(memoryLimit)}`,
      verdict(stream.peakMemory < memoryLimit),
    ],
    [
      `a table of ${whole(table.rows)} rows on a terminal`,
      `${whole(table.ms)} ms`,
      '',
      '',
      '',
      `below ${whole(tableLimitMs)} ms`,
      verdict(table.ms < tableLimitMs),
    ],
  ]);
}

export function commandSection(result: CommandResult, rounds: number): string {
  return `Results of the last run of \`npm run bench -- --only command\`, which writes this section (a full run writes it, too): ${machine()}.

Each figure is for a whole process from start to end: the median of ${rounds} rounds (three for the long ones), alternating with its **floor** in the same run. For the first four rows the floor is
Node with an empty program. For a list it is a program of five lines that fetches, parses and prints the same page with Node's own \`fetch\`. For all records it is a program that loops over the same
pages with undici and writes a line per record (\`test/bench/*-script.mjs\`). For a table it is the command itself with JSON output; the table also requests the names of its customers. A server in a separate process answers both with prepared texts.

${commandTable(result)}

- Help, the version and completion load no command: they use a description of the commands that the build writes. Completion of names uses a cache of a few minutes.
- Node's compile cache is kept between runs in the user's cache folder, also if the folder of the package is read-only. \`CS_CACHE_DIR\` moves the cache folder, \`NODE_COMPILE_CACHE\` only the compile cache.
- The records of a long list are read and written page by page, so only one page and the ids stay in memory: about 60 MB for 500,000. The rest of the memory is garbage that V8 collects late, in the loop too; \`NODE_OPTIONS=--max-semi-space-size=4\` saves 100 MB of it. **The target needs such a flag** and is missed on purpose: a program shouldn't set flags of V8 while it runs.
`;
}
