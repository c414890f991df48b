/** Preloaded into the processes of tests: stops their clock at CS_TEST_NOW. JavaScript, since stripping types takes half as long as the whole start of `cs`. */
import { mock } from 'node:test';

mock.timers.enable({ apis: ['Date'], now: new Date(process.env.CS_TEST_NOW ?? '') });
