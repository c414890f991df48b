/** Text that steers a terminal, and how to find out whether any of it came through. */

/** Moves the cursor, names the window, hides text, turns the reading direction, ends lines. */
export const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\n\u202eevil\u2066\u0000\u007f=1+1';

/** Tab and line feed are what a result is laid out with. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be left
export const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
