/** One call of a tool: a context that asks and prints nothing, and the journal for what it writes. */
import type { Context } from '../../context.ts';
import type { Row } from '../../output/view.ts';
import { openWork } from '../../state/work.ts';
import type { ActionRequest, Shown } from '../counter/action.ts';
import { facilityOf, lineOf } from '../counter/facility.ts';
import { closeWork, finishWork, leaveWork, sendWork, withWork } from '../counter/finish.ts';

export interface Call {
  readonly context: Context;
  /** The same tool with the same arguments has the same. */
  readonly line: string;
  readonly warnings: readonly string[];
  /** What a command printed. */
  printed(): Row;
}

export function openCall(from: Context, tool: string, args: Readonly<Row>): Call {
  const { io, output, settings } = from;
  const warnings: string[] = [];
  let printed: Row = {};
  const noTerminal = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false };
  const context: Context = {
    ...from,
    interactive: false,
    io: { ...io, ...noTerminal },
    settings: { ...settings, yes: true, quiet: true },
    note: (text) => void warnings.push(text),
    warn: (text) => void warnings.push(text),
    output: {
      ...output,
      ...{ format: 'json', forPeople: false },
      async styled(value) {
        printed = value as Row;
      },
    },
  };
  const line = lineOf(context, `mcp ${tool}`, args);
  return { context, line, warnings, printed: () => printed };
}

/** Sends one request through the journal: the same call finishes what has no answer. */
export async function store({ context, line }: Call, request: ActionRequest): Promise<Row> {
  const { io } = context;
  const { id: facility, server, key } = await facilityOf(context);
  const open = openWork(io, facility).find((work) => work.line === line);
  const what = `${request.verb} of ${request.resource}`;
  const none = { headline: '', facts: [], next: [], json: {} };
  const shown: Shown = { ...none, what, name: what, answer: 'record' };
  const given = {
    ...{ command: 'mcp' as const, what, line, shown, requests: [request], car: null, flags: null },
    ...{ facility, server, key, happenedAt: io.now().toISOString() },
  };
  const done =
    (open && (await finishWork(context, open.id))) ??
    (await withWork(context, given, (work) =>
      sendWork(context, work).catch(async (error: unknown) => {
        throw await leaveWork(context, work, error, { keeps: false });
      }),
    ));
  closeWork(context, done);
  return done.sent.answers.get(request.name) as Row;
}
