/** The command's numbers as a table, and as a section of the documentation. */
import type { CommandResult } from './command.ts';
import { machine, markdownTable, mega, whole } from './words.ts';

const leastThroughput = 0.8;
const memoryLimit = 120 * 1024 * 1024;
const tableLimitMs = 1_000;

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
pages with undici and writes a line for each (\`test/bench/*-script.mjs\`). A server in a process of its own answers both with ready texts.

${commandTable(result)}

- Help, the version and completion load no command: they are answered from what the build wrote down of the commands. Names are completed from a cache of a few minutes.
- What Node has compiled is kept between runs in the folder of the person's caches (\`CS_CACHE_DIR\` moves it, and \`NODE_COMPILE_CACHE\` that alone), also when the package itself lies where nothing can be written.
- Records of a long list go out as the server wrote them: a page is read as JSON, to be sure that it is some and for its ids, and then cut at its records. Where that is not certain, each is written anew. To keep memory flat, V8 is told after a thousand records to give it back early.
`;
}
