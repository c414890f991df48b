/** One S3 store for a whole test run, with a bucket; each service gets a part of it. */
import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import type { S3Place } from '../../src/service/files/s3.ts';
import { startSwift } from './swift.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    store: S3Place;
  }
}

/** Whether services of tests keep their files in the store (otherwise in their folders). */
export const onStore: boolean = process.env.CS_TEST_FILES === 's3';

export const newStore = (): S3Place => ({ ...inject('store'), prefix: randomUUID() });

/** Global setup: vitest calls it before the first test, and the returned function after the last. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const swift = await startSwift();
  project.provide('store', await swift.newPlace());
  return swift.stop;
}
