/** One call of a tool, and the journal for what it writes. */
import type { Context } from '../../context.ts';
import type { Row } from '../../output/view.ts';
import { openWork } from '../../state/work.ts';
import type { ActionRequest, Shown } from '../counter/action.ts';
import { type Captured, captured } from '../counter/captured.ts';
import { facilityOf, lineOf } from '../counter/facility.ts';
import { closeWork, finishWork, leaveWork, sendWork, withWork } from '../counter/finish.ts';

export interface Call extends Captured {
  /** The same tool with the same arguments has the same. */
  readonly line: string;
}

export const openCall = (from: Context, tool: string, args: Readonly<Row>): Call => ({
  ...captured(from),
  line: lineOf(from, `mcp ${tool}`, args),
});

/** Sends one request through the journal: the same call finishes what has no answer. */
export async function store({ context, line }: Call, request: ActionRequest): Promise<Row> {
  const { io } = context;
  const { id: facility, server, key } = await facilityOf(context);
  const open = openWork(io, facility).find((work) => work.line === line);
  const what = `${request.verb} of ${request.resource}`;
  const none = { headline: '', facts: [], next: [], json: {} };
  const shown: Shown = { ...none, what, name: what, answer: 'record' };
  const given = {
    command: 'mcp' as const,
    what,
    line,
    shown,
    requests: [request],
    car: null,
    flags: null,
    facility,
    server,
    key,
    happenedAt: io.now().toISOString(),
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
