/** A vitest reporter that writes what judge.js judges to the file named by CS_TEST_REPORT. The JSON reporter of vitest leaves unhandled errors out. */
import { writeFileSync } from 'node:fs';

export default class Reporter {
  onTestRunEnd(files, unhandledErrors, reason) {
    const tests = files.flatMap((file) => [...file.children.allTests()]);
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const report = {
      success: reason === 'passed',
      passed: count('passed'),
      failed: count('failed'),
      failures: tests.filter((test) => test.result().state === 'failed').map(named),
      // Files that didn't load, or whose hooks failed: their tests may never have run.
      failedFiles: files
        .filter((file) => suitesOf(file).some((suite) => suite.errors().length > 0))
        .map((file) => file.moduleId),
      unhandledErrors: unhandledErrors.map(({ message }) => message),
    };
    writeFileSync(process.env.CS_TEST_REPORT, JSON.stringify(report));
  }
}

const named = (test) =>
  `${test.module.relativeModuleId} (${test.project.name}): ${test.fullName}\n${test
    .result()
    .errors.map(({ message }) => message)
    .join('\n')}`;

const suitesOf = (file) => [file, ...file.children.allSuites()];
