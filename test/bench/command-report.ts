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
      '',
      '',
      '',
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
  return `The last run of \`npm run bench -- --only command\`, which writes this section (so does a full run): ${machine()}.

Each figure is a whole process from its start to its end, the median of ${rounds} rounds (of three for the long ones), in turns with its **floor** in the same run. For the first four that is
Node doing nothing. For a list it is a program of five lines that fetches, parses and prints the same page with Node's own \`fetch\`, and for all records one that loops over the same
pages with undici and writes a line for each (\`test/bench/*-script.mjs\`). For a table it is the command itself, printing JSON; the table asks for the names of its customers too. A server in a process of its own answers both with ready texts.

${commandTable(result)}

- Help, the version and completion load no command: they are answered from what the build wrote down of the commands. Names are completed from a cache of a few minutes.
- What Node has compiled is kept between runs in the folder of the person's caches (\`CS_CACHE_DIR\` moves it, and \`NODE_COMPILE_CACHE\` that alone), also when the package itself lies where nothing can be written.
- Records of a long list are read and written a page at a time, so what lives is a page and the ids: some 60 MB for 500,000. The rest of the memory is garbage that V8 collects late; \`NODE_OPTIONS=--max-semi-space-size=4\` saves 100 MB of it.
`;
}
