/** The colours of an answer that no command gives. */

import { colorChoice } from '../../config/settings.ts';
import type { Io } from '../../terminal/io.ts';
import { type Paint, styleFor } from '../../terminal/style.ts';
import { globalOptionsOf, type Line } from '../tree/line.ts';

export const lineStyle = (io: Io, line: Line): Paint => styleFor(io, 'stdout', colorChoice(io, globalOptionsOf(line)));
