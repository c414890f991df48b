/** The colours of an answer that no command gives. */
import type { Io } from './io.ts';
import { type Paint, paintFor } from './paint.ts';
import { colorChoice } from './settings/settings.ts';
import { globalOptionsOf, type Line } from './tree/line.ts';

export const paintOf = (io: Io, line: Line): Paint => paintFor(io, 'stdout', colorChoice(io, globalOptionsOf(line)));
