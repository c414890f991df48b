/** Text with terminal control sequences, and a check whether any of them reached the output. */

/** Moves the cursor, sets the window title, hides text, reverses the text direction, ends lines, and starts lines that look like ours. */
export const hostile =
  '\u001b[2J\u001b]0;owned\u0007\u009b31m\r\n\u202eevil\u2066\u0000\u007f=1+1\nerror: forged by the server\r\n  hint: forged by the server\u2028error: forged by the server\rerror: forged by the server';

/** Matches a server's line that looks like a line of this program. Text below a label is indented and doesn't match. */
export const forged = /^(?:error|hint): forged.*$/m;

/** Results use tabs and line feeds for their layout. */
export const steering =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain any of them
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
