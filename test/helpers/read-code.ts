/** Reads a QR code from the cells of a terminal, as a camera does: by its colours. */
import jsQR from 'jsqr';
import type { Cell } from './terminal.ts';

const scale = 4;
/** A dark terminal: what has no colour of its own is black. */
const brightness = (color: number | undefined, otherwise: number) =>
  color === 231 ? 255 : color === 16 ? 0 : otherwise;

/** The text of the code; undefined where none can be read. An inverted code is none: few cameras read it. */
export function readCode(cells: readonly (readonly Cell[])[]): string | undefined {
  const width = (cells[0]?.length ?? 0) * scale;
  const height = cells.length * 2 * scale;
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (const [row, line] of cells.entries())
    for (const [column, { text, foreground, background }] of line.entries())
      for (const half of [0, 1]) {
        const isInk = text === '█' || text === (half === 0 ? '▀' : '▄');
        const light = isInk ? brightness(foreground, 200) : brightness(background, 0);
        for (let y = 0; y < scale; y++)
          for (let x = 0; x < scale; x++) {
            const at = (((row * 2 + half) * scale + y) * width + column * scale + x) * 4;
            pixels.fill(light, at, at + 3);
          }
      }
  // The package is a CommonJS module, whose function is its default export.
  const read = ((jsQR as unknown as { default?: typeof jsQR }).default ?? jsQR) as unknown as (
    data: Uint8ClampedArray,
    width: number,
    height: number,
    options: { inversionAttempts: 'dontInvert' },
  ) => { data: string } | null;
  return read(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data;
}
