import type { RulesOf } from './rule.ts';

export const templates: RulesOf<'templates'> = {
  /** Specification: deletes for good. Decision: steps keep the text they copied and lose the reference. */
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
