import type { RulesOf } from './rule.ts';

export const templates: RulesOf<'templates'> = {
  /** Specification: for good. Decision: what was written with it keeps its text and no longer names it. */
  async delete({ db, team, stamp }, { record }, proceed) {
    await db
      .updateTable('campaignSteps')
      .set({ templateId: null, updatedAt: stamp })
      .where('teamId', '=', team.id)
      .where('templateId', '=', record.id)
      .execute();
    await proceed();
  },
};
