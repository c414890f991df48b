/** Text that steers a terminal, and how to find out whether any of it came through. */

/** Moves the cursor, names the window, hides text, turns the reading direction, ends lines, and begins some that look like ours. */
export const hostile =
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\n\u202eevil\u2066\u0000\u007f=1+1\nerror: forged by the server\r\n  hint: forged by the server\u2028error: forged by the server\rerror: forged by the server';

/** A line that looks like one of this program, and is the server's. What stands below a label is indented, and none. */
export const forged = /^(?:error|hint): forged.*$/m;

/** Tab and line feed are what a result is laid out with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
export const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
