/** `cs threads messages send`: sends a message and reports its status. */

import { setTimeout as delay } from 'node:timers/promises';
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { CliError } from '../../errors/exit.ts';
import { Argument, type Command, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import { parseSpan } from '../../input/when.ts';
import type { View } from '../../output/view.ts';
import { askLine, missingInput } from '../../prompts/prompts.ts';
import { checkBody } from '../../resources/fields.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { sanitize } from '../../terminal/text.ts';
import { bodyFile } from '../messaging/body-file.ts';

type Message = RecordFor<'messages'>;
type Thread = RecordFor<'threads'>;

/** Polling interval for a queued message. */
const pollMs = 200;

export function addSend(command: Command, view: View): void {
  command
    .implementsOperation('messages.create')
    .declareOutput(view)
    .summary('Send a message in a thread')
    .description(
      'Send a message to the person of a thread. It is queued and sent once the service has a transport for its channel.',
    )
    .addArgument(
      suggestRecords(new Argument('<thread>', 'id of the thread, or its subject'), 'threads'),
    )
    .option('--body <text>', 'text of the message')
    .option('--note', 'internal note for staff, not sent')
    .option('--wait <time>', 'wait until it is sent or failed, at most this long: 10s, 2m');
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
    if (options.body === undefined && options.bodyFile === undefined && !context.interactive)
      throw missingInput(['--body or --body-file']);
    const { body: said = options.body } = await bodyFile.read(context, {
      options,
      parents: [],
      body: {},
    });
    const thread = (await resolveRecord(context, { resource: 'threads', text })) as Thread;
    const direction = options.note ? 'internal' : 'outbound';
    if (thread.channel === 'internal' && direction === 'outbound')
      throw internalThread(context, { ...thread, typed: text });
    const body = { direction, body: said ?? (await askText(context)) } as const;
    checkBody(operation, body);
    if (options.dryRun) return context.output.request(planned(operation, [thread.id], body));
    const client = await context.client();
    const stored = await client.messages.create(thread.id, body, {
      idempotencyKey: options.idempotencyKey,
    });
    const message = await waitUntilSent(context, stored, waitMs);
    await context.output.written(
      view,
      message,
      direction === 'internal' ? 'written' : sanitize(message.status ?? 'stored'),
    );
    if (message.status === 'queued')
      noteQueued(context, text, { ...message, channel: thread.channel });
    if (message.status === 'failed') throw sendFailed(message);
  });
}

const askText = (context: Context): Promise<string> =>
  askLine(context, { label: 'Text', check: (line) => (line === '' ? 'Enter a text.' : undefined) });

/** Polls until the message is no longer queued, or the time is up. */
async function waitUntilSent(context: Context, message: Message, waitMs: number): Promise<Message> {
  const client = await context.client();
  const end = performance.now() + waitMs;
  let latest = message;
  while (latest.status === 'queued' && performance.now() < end) {
    await delay(pollMs, undefined, { signal: context.io.signal });
    latest = await client.messages.get(message.threadId, message.id);
  }
  return latest;
}

function noteQueued(
  context: Context,
  thread: string,
  { id, channel }: Pick<Message, 'id'> & Pick<Thread, 'channel'>,
): void {
  const again = nextCommand(['threads', 'messages', 'get', thread, id], connectionFlags(context));
  context.note(
    `It stays queued until the service has a transport for ${channel}. Check again with \`${again}\`.`,
  );
}

const sendFailed = ({ error }: Message): CliError =>
  new CliError({
    code: 'partial',
    message: `The message is stored, but couldn't be sent: ${error ?? 'no reason given'}.`.replace(
      /\.\.$/,
      '.',
    ),
    hint: 'fix the address, then send it again',
  });

const internalThread = (
  context: Context,
  { subject, id, typed }: Thread & { typed: string },
): CliError =>
  new CliError({
    code: 'validation_failed',
    message: `The thread ${subject ?? id} is internal and takes only notes; add --note. Nothing was stored.`,
    hint: `write a note: \`${nextCommand(['threads', 'messages', 'send', typed, '--note'], connectionFlags(context))}\``,
    details: { issues: [{ path: 'direction', rule: 'channel', message: 'takes only notes' }] },
  });
