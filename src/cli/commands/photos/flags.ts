import { aboutMegabytes, photoLimit } from '../../../contract/limits.ts';
import type { Context } from '../../context.ts';
import { usage } from '../../errors/exit.ts';
import type { Command, Need } from '../../framework/command.ts';
import { addFlagWithVariable } from '../../framework/flags.ts';
import type { PhoneAddressFlags } from '../../phone/address.ts';

export const photoNeed: Need = {
  part: 'carPhotos.base64',
  otherwise: 'photos are sent in the field of --photo-field',
};

/** The flags of `PhotoOptions`. The field is a setting: see `Settings.photoField`. */
export const addPhotoFlags = (command: Command): Command =>
  command
    .option('--keep-location', 'keep the location in the metadata of photos')
    .option(
      '--no-resize',
      `refuse photos above ${aboutMegabytes(photoLimit)} instead of shrinking them`,
    )
    .option(
      '--photo-field <name>',
      'field of the request with the bytes of a photo (default: base64)',
    );

export interface PhoneFlags extends PhoneAddressFlags {
  readonly phone?: boolean;
}

/** `does`: with the phone. */
export function addPhoneFlags(command: Command, does = 'take or choose photos'): Command {
  command.option('--phone', `${does} with a phone, which scans a code from the terminal`);
  for (const flag of ['--phone-address', '--phone-port'] as const)
    addFlagWithVariable(command, flag);
  return command;
}

/** The code is shown on a terminal, and a person says when all photos are there. */
export function checkPhoneFlags(
  { interactive }: Pick<Context, 'interactive'>,
  { phone, photo }: PhoneFlags & { photo?: unknown },
): void {
  if (!phone) return;
  if (!interactive)
    throw usage('--phone needs a terminal.', 'run it in a terminal, or give the photos as files');
  if (photo)
    throw usage(
      "--phone and --photo can't be used together.",
      'use one of them, and add the other photos with `cs cars photos add`',
    );
}
