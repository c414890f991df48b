/** The location of this counter, whose free places come first: a setting of the profile, asked for once where there are several. */
import { readConfig } from '../../config/config.ts';
import { changeSettings, findProfile } from '../../config/connection.ts';
import type { Context } from '../../context.ts';
import { askOption } from '../../prompts/prompts.ts';
import { sanitize } from '../../terminal/text.ts';

/** Kept like a name: no location is called so, and nothing asks again. */
const noFixed = 'none';

/** Its name; empty without one. */
export async function counterLocation(context: Context, names: readonly string[]): Promise<string> {
  const { io, settings } = context;
  const known = settings.find('location')?.value;
  if (known !== undefined || names.length < 2) return known ?? '';
  const profile = settings.connection().profile.value;
  if (profile === undefined || settings.yes) return '';
  // An earlier question of this run.
  const kept = findProfile(readConfig(io), profile)?.settings?.location;
  if (kept !== undefined) return kept;
  const chosen = await askOption(context, {
    label: 'Where is this counter? Its free places come first:',
    options: [
      ...names.map((name) => ({ name: sanitize(name), value: name })),
      { name: 'In no fixed place', value: noFixed },
    ],
  });
  await changeSettings(io, profile, (before) => ({ ...before, location: chosen }));
  return chosen;
}
