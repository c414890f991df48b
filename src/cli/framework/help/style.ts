/** The style of output that no command prints, by the flags of the line. */

import { colorChoice } from '../../config/settings.ts';
import type { Io } from '../../terminal/io.ts';
import { type Styles, stylesFor } from '../../terminal/style.ts';
import { type Line, lineOptions } from '../tree/line.ts';

export const lineStyle = (io: Io, line: Line): Styles =>
  stylesFor(io, 'stdout', colorChoice(io, lineOptions(line)));
