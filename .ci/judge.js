/**
 * Reads the reports of reporter.js and the exit codes of the runs that wrote them, says in one closing line what came of all tests,
 * and exits with 0 only when everything passed: node .ci/judge.js REPORT CODE [REPORT CODE]...
 */
import { readFileSync } from 'node:fs';

function read(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // The tests ended before they could be counted.
    return undefined;
  }
}

function judge(path, code) {
  const {
    success = false,
    passed = 0,
    failed = 0,
    failures: failedTests = [],
    failedFiles = [],
    unhandledErrors = [],
  } = read(path) ?? {};
  // Said once more at the end, since the lines of the run itself are far above.
  for (const test of failedTests) console.log(`failed: ${test}`);
  for (const file of failedFiles) console.log(`failed as a file: ${file}`);
  for (const message of unhandledErrors) console.log(`unhandled error: ${message}`);
  const failures = failed + failedFiles.length + unhandledErrors.length;
  const green = code === '0' && success && passed > 0 && failures === 0;
  if (!green && failures === 0)
    console.log(`the tests ended with exit code ${code}, success ${success}`);
  // Whatever else went wrong counts as one failure, so that a red run never reads "0 failed".
  return { passed, failed: green ? 0 : Math.max(failures, 1) };
}

const given = process.argv.slice(2);
const runs = given.flatMap((path, at) => (at % 2 === 0 ? [judge(path, given[at + 1])] : []));
const sum = (of) => runs.reduce((total, run) => total + of(run), 0);
const failed = sum((run) => run.failed);
console.log(`tests: ${sum((run) => run.passed)} passed, ${failed} failed`);
process.exit(runs.length > 0 && failed === 0 ? 0 : 1);
