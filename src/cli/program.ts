/**
 * From a command line to an exit code. Help, version and completion are answered from the
 * description of the commands; otherwise only the family of the typed command is loaded.
 */
import { containsKey, keyArgumentError } from './config/secrets.ts';
import type { ExitCode } from './errors/exit.ts';
import { answerHelpRequest } from './framework/help/requests.ts';
import type { Tree } from './framework/tree/tree.ts';
import { withReadableStderr } from './terminal/ascii.ts';
import type { Io } from './terminal/io.ts';

/**
 * Runs `cs` with the words after its name. Never throws; errors are reported on stderr. `stored` is
 * the description of the commands from the build. (default: describe the commands themselves)
 */
export async function run(argv: readonly string[], given: Io, stored?: Tree): Promise<ExitCode> {
  const io = withReadableStderr(given);
  const tree = async () => stored ?? (await import('./commands/catalogue.ts')).liveTree;
  const [first = ''] = argv;
  if (containsKey(argv)) {
    // Completion never reports errors, and must not pass the key to the cache or the server.
    if (first.startsWith('__complete')) return 0;
    const [{ reportError }, { scanGlobalOptions }] = await Promise.all([
      import('./framework/report-error.ts'),
      import('./framework/execute.ts'),
    ]);
    return reportError(keyArgumentError(argv), io, { options: scanGlobalOptions(argv) });
  }
  if (first === '__complete-names') {
    const { refreshInBackground } = await import('./resources/refresh-names.ts');
    await refreshInBackground(io, argv[1]);
    return 0;
  }
  if (first === '__newest-version') {
    const { readNewestVersion } = await import('./framework/update-notice.ts');
    await readNewestVersion(io, argv[1] ?? '');
    return 0;
  }
  if (first.startsWith('__complete')) {
    const { answerCompletion } = await import('./framework/completion/completion.ts');
    return answerCompletion(first, argv.slice(1), io, await tree());
  }
  if (mayRequestHelp(argv)) {
    const code = await answerHelpRequest(argv, io, await tree());
    if (code !== undefined) return code;
  }
  io.run.commandNeeds = async () =>
    (await import('./commands/doctor/command-needs.ts')).commandNeeds(await tree());
  const [{ execute }, { catalogue, writeChecks }] = await Promise.all([
    import('./framework/execute.ts'),
    import('./commands/catalogue.ts'),
  ]);
  return execute(argv, io, {
    catalogue,
    writeChecks,
    findLabels: (context) => async (wanted, how) =>
      (await import('./resources/find-labels.ts')).findLabels(context, wanted, how),
    findHint: async (...error) =>
      (await import('./resources/hint-from-contract.ts')).findHint(...error),
    refreshNames: async (...run) =>
      (await import('./resources/refresh-names.ts')).refreshWanted(...run),
  });
}

const helpWords: ReadonlySet<string> = new Set(['--help', '-h', 'help', '--version']);
/**
 * A quick check, so that commands don't load the description of all others. A bare `cs` requests
 * help too.
 */
const mayRequestHelp = (argv: readonly string[]): boolean =>
  argv.length === 0 || argv.some((word) => helpWords.has(word));
