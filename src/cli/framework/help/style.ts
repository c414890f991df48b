/** The colours of an answer that no command gives. */

import { colorChoice } from '../../config/settings.ts';
import type { Io } from '../../terminal/io.ts';
import { type Paint, paintFor } from '../../terminal/style.ts';
import { globalOptionsOf, type Line } from '../tree/line.ts';

export const paintOf = (io: Io, line: Line): Paint => paintFor(io, 'stdout', colorChoice(io, globalOptionsOf(line)));
