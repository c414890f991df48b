/** The order of test files: what takes longest first, since a project ends with its last file. CS_ORDER shuffles the others, the same for the same number. */
import { createHash } from 'node:crypto';
import { matchesGlob, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { slow } from '../tiers.ts';

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = process.env.CS_ORDER;
    const place = ({ moduleId }: TestSpecification) =>
      createHash('sha256')
        .update(`${order} ${relative(this.ctx.config.root, moduleId)}`)
        .digest('hex');
    const sorted = order
      ? files.toSorted((one, other) => (place(one) < place(other) ? -1 : 1))
      : await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) => {
      const path = relative(this.ctx.config.root, moduleId);
      return slow.some((pattern) => matchesGlob(path, `test/${pattern}`));
    };
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
