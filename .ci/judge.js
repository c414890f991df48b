/**
 * Reads the report of reporter.js and the exit code of the tests, says in one closing line what came of them,
 * and exits with 0 only when everything passed: node .ci/judge.js REPORT CODE
 */
import { readFileSync } from 'node:fs';

const [, , path, code] = process.argv;

function read() {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The tests ended before they could be counted.
    return undefined;
  }
}

const { success = false, passed = 0, failed = 0, failedFiles = [], unhandledErrors = [] } = read() ?? {};
for (const file of failedFiles) console.log(`failed as a file: ${file}`);
for (const message of unhandledErrors) console.log(`unhandled error: ${message}`);
const failures = failed + failedFiles.length + unhandledErrors.length;
const green = code === '0' && success && passed > 0 && failures === 0;
if (!green && failures === 0) console.log(`the tests ended with exit code ${code}, success ${success}`);
// Whatever else went wrong counts as one failure, so that a red run never reads "0 failed".
console.log(`tests: ${passed} passed, ${green ? 0 : Math.max(failures, 1)} failed`);
process.exit(green ? 0 : 1);
