/** `cs threads messages send`: sends a message and reports its status. */
import type { RecordFor } from '../../../contract/contract.ts';
import type { Context } from '../../context.ts';
import { Argument, type Command, suggestRecords } from '../../framework/command.ts';
import { addCreateFlags } from '../../framework/flags.ts';
import { connectionFlags, nextCommand } from '../../framework/next-command.ts';
import type { View } from '../../output/view.ts';
import { askLine, missingInput } from '../../prompts/prompts.ts';
import { checkBody } from '../../resources/fields.ts';
import { resolveRecord } from '../../resources/lookup.ts';
import { operationFor, planned } from '../../resources/operation.ts';
import { sanitize } from '../../terminal/text.ts';

type Thread = RecordFor<'threads'>;

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
    .option('--note', 'internal note for staff, not sent');
  addCreateFlags(command);
  command.nameFlags({ direction: '--note' });
  command.examples([
    'cs threads messages send "Winter storage" --body "Your car is ready."',
    'cs threads messages send "Winter storage" --note --body "Key is in box 4."',
    'cs threads messages send "Winter storage" --body "Your car is ready." --dry-run',
  ]);
  const operation = operationFor('messages', 'create');

  command.handle(async (context, { args: [text], options }) => {
    if (options.body === undefined && !context.interactive) throw missingInput(['--body']);
    const thread = (await resolveRecord(context, { resource: 'threads', text })) as Thread;
    const direction = options.note ? 'internal' : 'outbound';
    const body = { direction, body: options.body ?? (await askText(context)) } as const;
    checkBody(operation, body);
    if (options.dryRun) return context.output.request(planned(operation, [thread.id], body));
    const { idempotencyKey } = options;
    const client = await context.client();
    const message = await client.messages.create(thread.id, body, { idempotencyKey });
    const done = direction === 'internal' ? 'written' : sanitize(message.status ?? 'stored');
    await context.output.written(view, message, done);
    if (message.status !== 'queued') return;
    const words = ['threads', 'messages', 'get', text, message.id];
    const again = nextCommand(words, connectionFlags(context));
    context.note(
      `It stays queued until the service has a transport for ${thread.channel}. Check again with \`${again}\`.`,
    );
  });
}

const askText = (context: Context): Promise<string> =>
  askLine(context, { label: 'Text', check: (line) => (line === '' ? 'Enter a text.' : undefined) });
