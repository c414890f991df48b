/** The line of a prompt, which the keys edit before the prompt sees them. */
export interface Line {
  readonly line: string;
  clearLine(direction: 0): void;
  write(text: string): void;
}

export function replaceLine(line: Line, text: string): void {
  line.clearLine(0);
  line.write(text);
}
