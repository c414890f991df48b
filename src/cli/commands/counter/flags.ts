/** The flags that every event with photos takes, and what they say. */
import { type Command, suggestRecords } from '../../framework/command.ts';
import type { Context } from '../../framework/context.ts';
import { addCreateFlags, collect } from '../../framework/flags.ts';
import { connectionFlags } from '../../framework/next-command.ts';
import { parsePast } from '../../input/when.ts';
import type { PhotoOptions } from '../photos/prepare.ts';
import type { AppointmentFlag } from './appointment.ts';
import type { EventOptions } from './perform.ts';
import type { EventPlan } from './plan.ts';

export interface EventFlags extends PhotoOptions {
  readonly type?: string;
  readonly notes?: string;
  readonly at?: string;
  readonly photo?: readonly string[];
  readonly appointment?: AppointmentFlag;
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
}

export function addEventFlags(command: Command): Command {
  command
    .option('--notes <text>', 'free text')
    .option('--at <when>', 'when it happened; now unless given')
    .addOption(
      suggestRecords(
        command.createOption('--appointment <id|today>', 'the appointment that it fulfils; on a terminal that of today is found'),
        'appointments',
      ),
    )
    .option('--no-appointment', 'fulfil none')
    .option('--photo <path>', 'a photo, a folder or a pattern; can be given several times', collect)
    .option('--keep-location', 'leave in the photos where they were taken')
    .option('--no-resize', 'do not shrink photos above 3 MB; they are refused');
  command.options.find(({ long }) => long === '--no-appointment')?.default(undefined);
  return addCreateFlags(command);
}

/** Reads what needs no server, so that a photo that cannot be sent is told before anything is asked or looked up. */
export async function readEventFlags(
  context: Context,
  flags: EventFlags,
): Promise<Pick<EventPlan, 'notes' | 'at'> & { photos: EventPlan['photos'] | undefined }> {
  const at = flags.at === undefined ? undefined : parsePast(flags.at, context.io.now(), '--at');
  const photos = flags.photo && (await (await import('../photos/read.ts')).readPhotos(context, flags.photo, flags));
  return { notes: flags.notes, at, photos };
}

export const optionsOf = (context: Context, { keepLocation, resize, idempotencyKey }: EventFlags): EventOptions => ({
  keepLocation,
  resize,
  idempotencyKey,
  globalFlags: connectionFlags(context),
});
