// Loaded before a measured program: writes the most memory that it has had, in KiB, to stderr at its end.
import { readFileSync } from 'node:fs';

/** On Linux `maxRSS` starts with the size of the process that started this one. */
function peak() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}

process.on('exit', () => process.stderr.write(` ${peak()}`));
