import { inMebibytes, photoLimit } from '../../../contract/limits.ts';
import type { Command } from '../../framework/command.ts';

/** The flags of `PhotoOptions`. The field is a setting: see `Settings.photoField`. */
export const addPhotoFlags = (command: Command): Command =>
  command
    .option('--keep-location', 'keep the location in the metadata of photos')
    .option('--no-resize', `refuse photos above ${inMebibytes(photoLimit)} instead of shrinking them`)
    .option('--photo-field <name>', 'field of the request with the bytes of a photo (default: base64)');
