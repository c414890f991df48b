/** What a new filter is easily left without: an index. SQLite's plans show it; the indexes of PostgreSQL are declared with them. */
import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { expect, test } from 'vitest';
import { contract } from '../../../src/contract/contract.ts';
import type { Filter, Resource } from '../../../src/contract/resource.ts';
import { kindOf } from '../../../src/contract/schemas.ts';
import type { FilterRule, Where } from '../../../src/service/lists.ts';
import { type AnyRecord, anyTable } from '../../../src/service/records.ts';
import { rules as allRules } from '../../../src/service/rules/rules.ts';
import { testService } from '../../helpers/service.ts';

const service = await testService();
const { read } = service.admin.database;
const stored = Object.values<Resource>(contract).filter(
  ({ computed, singleton }) => !computed && !singleton,
);

/** Filters whose lists are read without an index, with the reason. */
const fewRecords = 'a facility has few of them';
const withoutIndex: Readonly<Record<string, string>> = {
  'eventTypes.scope': fewRecords,
  'eventTypes.isActive': fewRecords,
  'locations.isActive': fewRecords,
  'parkingZones.locationId': fewRecords,
  'parkingZones.isActive': fewRecords,
  'parkingZones.available': fewRecords,
  'parkingSpots.locationId': fewRecords,
  'parkingSpots.isActive': fewRecords,
  'parkingSpots.available': fewRecords,
  'campaigns.channel': fewRecords,
  'templates.channel': fewRecords,
  'socialEvents.status': fewRecords,
  'socialEvents.visibility': fewRecords,
  'assets.contentType': fewRecords,
  'assetFolders.parentId': fewRecords,
  'forms.status': fewRecords,
  'socialAccounts.platform': fewRecords,
  'socialAccounts.status': fewRecords,
  'socialPosts.socialAccountId': 'each post of the list is looked up in the index of its accounts',
  'parkingAssignments.active': 'the open ones were changed last, so the list begins with them',
};

/** The condition of a filter in a list (service/lists.ts). */
function conditionOf(
  where: Where,
  resource: Resource,
  name: string,
  filter: Filter,
): Expression<SqlBool> | undefined {
  if (filter.by === 'equals') return where(filter.field, '=', 'x');
  if (filter.by === 'from') return where(filter.field, '>=', 'x');
  if (filter.by === 'to') return where(filter.field, '<=', 'x');
  return filter.by === 'rule'
    ? (allRules as unknown as Record<string, { filters: Record<string, FilterRule> }>)[
        resource.name
      ]?.filters[name]?.(where, kindOf(filter.schema) === 'boolean' ? true : 'x')
    : undefined;
}

test('every filter is served by an index, except for the named ones', async () => {
  const unserved: string[] = [];
  for (const resource of stored) {
    const { name, parent, filters = {} } = resource;
    for (const [filterName, filter] of Object.entries(filters)) {
      const condition = conditionOf(
        expressionBuilder<Record<string, AnyRecord>, string>(),
        resource,
        filterName,
        filter,
      );
      // Searches have an index of their own.
      if (!condition) continue;
      const list = anyTable({ db: read })
        .selectFrom(name)
        .selectAll()
        .where('teamId', '=', 'x')
        .$if(parent !== undefined, (query) => query.where(parent?.field ?? '', '=', 'x'))
        .where(condition)
        .orderBy('updatedAt', 'desc')
        .orderBy('id', 'desc')
        .limit(50)
        .compile();
      const { rows } = await read.executeQuery<{ detail: string }>({
        ...list,
        sql: `explain query plan ${list.sql}`,
      });
      // Rows of one parent are few, or the parent's index has the order of the list.
      const isServed = rows.some(({ detail }) =>
        new RegExp(`^(SEARCH|SCAN) ${name} .*\\(teamId=\\? AND \\S|LIST SUBQUERY`).test(detail),
      );
      if (!isServed) unserved.push(`${name}.${filterName}`);
    }
  }
  expect(
    unserved.sort(),
    'needs an index (`orderAndFilters`), or its reason in `withoutIndex`',
  ).toEqual(Object.keys(withoutIndex).sort());
});
