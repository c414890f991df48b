/** Writes a message in a thread, and says how far it came. */

import { setTimeout as delay } from 'node:timers/promises';
import type { RecordFor } from '../../../contract/contract.ts';
import { checkBody } from '../../crud/fields.ts';
import { operationFor, planned } from '../../crud/operation.ts';
import { CliError } from '../../errors/exit.ts';
import { Argument, type Command, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseSpan } from '../../input/when.ts';
import { resolveRecord } from '../../lookup/lookup.ts';
import type { View } from '../../output/view.ts';
import { askLine, missingInput } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';
import { bodyFile } from '../messaging/body-file.ts';

type Message = RecordFor<'messages'>;
type Thread = RecordFor<'threads'>;

/** Time in milliseconds between two looks at a message that is queued. */
const lookMs = 200;

export function addSend(command: Command, view: View): void {
  command
    .implementsOperation('messages.create')
    .declareOutput(view)
    .summary('Write to whom a thread is with')
    .description('Write to whom a thread is with. The message is queued, and goes out as soon as something carries its channel.')
    .addArgument(suggestRecords(new Argument('<thread>', 'id of the thread, or its subject'), 'threads'))
    .option('--body <text>', 'what to say')
    .option('--note', 'a note among staff, which is not sent')
    .option('--wait <time>', 'wait until it was sent or has failed, at most so long: 10s, 2m');
  bodyFile.add(command);
  addCreateFlags(command);
  command.nameFlags({ direction: '--note' });
  command.examples([
    'cs threads messages send "Winter storage" --body "Your car is ready."',
    'echo \'Key is in box 4.\' | cs threads messages send "Winter storage" --note --body-file -',
    'cs threads messages send "Winter storage" --body "Your car is ready." --dry-run',
  ]);
  const operation = operationFor('messages', 'create');

  command.handle(async (context, { args: [text], options }) => {
    const waitMs = options.wait === undefined ? 0 : parseSpan(options.wait, '--wait');
    if (options.body === undefined && options.bodyFile === undefined && !context.interactive) throw missingInput(['--body or --body-file']);
    const { body: said = options.body } = await bodyFile.read(context, { options, parents: [], body: {} });
    const thread = (await resolveRecord(context, { resource: 'threads', text })) as Thread;
    const direction = options.note ? 'internal' : 'outbound';
    if (thread.channel === 'internal' && direction === 'outbound') throw staysInside(context, { ...thread, typed: text });
    const body = { direction, body: said ?? (await askText(context)) } as const;
    checkBody(operation, body);
    if (options.dryRun) return context.output.request(planned(operation, [thread.id], body));
    const client = await context.client();
    const stored = await client.messages.create(thread.id, body, { idempotencyKey: options.idempotencyKey });
    const message = await awaited(context, stored, waitMs);
    // That it is a note among staff, and stored, stands behind it already.
    await context.output.written(view, message, direction === 'internal' ? 'written' : sanitize(message.status));
    if (message.status === 'queued') tellQueued(context, text, { ...message, channel: thread.channel });
    if (message.status === 'failed') throw notSent(message);
  });
}

const askText = (context: Context): Promise<string> =>
  askLine(context, { label: 'Text', check: (line) => (line === '' ? 'A message needs a text.' : undefined) });

/** The message once it is no longer queued, or when the time is over. */
async function awaited(context: Context, message: Message, waitMs: number): Promise<Message> {
  const client = await context.client();
  const end = performance.now() + waitMs;
  let latest = message;
  while (latest.status === 'queued' && performance.now() < end) {
    await delay(lookMs, undefined, { signal: context.io.signal });
    latest = await client.messages.get(message.threadId, message.id);
  }
  return latest;
}

/** `thread` as it was typed. */
function tellQueued(context: Context, thread: string, { id, channel }: Pick<Message, 'id'> & Pick<Thread, 'channel'>): void {
  const again = nextCommand(['threads', 'messages', 'get', thread, id], connectionFlags(context));
  context.note(`It goes out when the service has something that carries ${channel}; until then it stays queued. Look again: \`${again}\``);
}

const notSent = ({ error }: Message): CliError =>
  new CliError({
    code: 'message_failed',
    message: `The message is stored, but could not be sent: ${error ?? 'no reason was given'}.`.replace(/\.\.$/, '.'),
    hint: 'put right what is wrong with the address, then send it again',
  });

const staysInside = (context: Context, { subject, id, typed }: Thread & { typed: string }): CliError =>
  new CliError({
    code: 'validation_failed',
    message: `The thread ${subject ?? id} is internal, so --note must be given: nothing in it leaves the facility. Nothing was stored.`,
    hint: `write a note: \`${nextCommand(['threads', 'messages', 'send', typed, '--note'], connectionFlags(context))}\``,
    details: { issues: [{ path: 'direction', rule: 'channel', message: 'must be given: nothing in it leaves the facility' }] },
  });
