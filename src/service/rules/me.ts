import type { RulesOf } from './rule.ts';

export const me: RulesOf<'me'> = {
  get: ({ team, keyName, scopes, expiresAt }) => ({
    team: { id: team.id, name: team.name, slug: team.slug, timezone: team.timezone },
    keyName,
    scopes: [...scopes],
    expiresAt,
  }),
};
