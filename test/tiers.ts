/**
 * The tests of `npm test`, and those of `npm run test:full` alone, each with its reason. Patterns are below `test/`.
 * test/tiers.test.ts checks that each file is in exactly one of the two on each of its databases.
 */

/** On SQLite `npm test` runs every file that is not listed here. */
const leftToFull: Readonly<Record<string, string>> = {
  'cli/every-command/*.test.ts': 'repeats for each command the checks of other tests',
  'cli/commands/counter/{corrections,keeps-place,refused-answers,searches}.test.ts':
    'walks through terminals beyond one for each command',
  'cli/commands/{audit/audit,live/live}.test.ts': 'long walks through terminals',
  'cli/commands/admin/backup-under-writes.test.ts': 'large volume',
  'cli/commands/demo/{demo,sample}.test.ts': 'the demonstration as a whole, and its large photos',
  'cli/commands/{import,sync}/kill.test.ts': 'kills processes',
  '{cli/commands/small-disk,service/http/readiness}.test.ts': 'disks of their own',
  'cli/commands/counter/{kill,kill-photos,sixty-events}.test.ts': 'kills processes',
  'cli/{examples,examples-in-shell}.test.ts': 'every line of the help',
  'cli/framework/completion/shells.test.ts': 'real shells',
  'cli/framework/rate-limit.test.ts': 'waits for a real rate limit',
  'cli/output/streaming.test.ts': 'large volume',
  'installed-types.test.ts': 'compiles a program with several compilers',
  'openapi/{generated-clients,linters,validating-proxy}.test.ts':
    "other people's tools read the interface description",
  'service/{backup,campaigns}/crash.test.ts': 'kills processes',
  'pictures/*.test.ts': 'the demonstration as a whole',
  'service/files/s3.test.ts': 'a store of several processes',
  'service/durability.test.ts': 'kills processes',
  'service/outbox/delivery.test.ts': 'kills processes',
  'service/fuzz.test.ts': 'random requests',
  '{npm-test,own-home}.test.ts': 'runs of the tests themselves',
};

/** On PostgreSQL `npm test` runs only these files: the database, lists, locks, isolation, and rules for exclusive places. */
const quickOnPostgres: Readonly<Record<string, string>> = {
  'service/database/{ids,indexes,write-queue}.test.ts': 'the database',
  'service/database/postgres/{command,plans,row-level-security,search,sync}.test.ts':
    'parts that only PostgreSQL has, and the separation of teams',
  'service/{concurrency,idempotency}.test.ts': 'locks',
  'service/{lists,search,totals}.test.ts': 'lists',
  'service/rules/parking.test.ts': 'rules for exclusive places',
};

/** On PostgreSQL nowhere: they prove nothing about a database, or what the rules of each resource prove there. */
const withoutDatabase = [
  'service/http/{docs,headers,metrics,refused-bodies}.test.ts',
  'service/{errors,keys,log,matrix,share-next}.test.ts',
  'service/dashboard/{events,fields,forgotten,limits,pictures,walls}.test.ts',
  'service/rules/recurrence.test.ts',
];

const behindPooler = [
  'service/{concurrency,lists,idempotency}.test.ts',
  'service/rules/parking.test.ts',
];

/** On PostgreSQL with an S3 store: what is kept in it. `postgres-full` kills services with a store. */
const withStore = ['service/rules/{assets,photos}.test.ts'];

/** Tests for PostgreSQL only, and for a data folder with an SQLite file only. */
const postgresOnly = ['service/database/postgres/*.test.ts'];
const folderOnly = [
  'service/{busy,durability,start}.test.ts',
  'service/data-folder/**/*.test.ts',
  'service/database/{sqlite-open,sqlite-thread,filters,write-plans}.test.ts',
  'service/files/**/*.test.ts',
  'service/backup/**/*.test.ts',
  'service/outbox/{smtp*,waiting,delivery}.test.ts',
];

/** What takes half a minute and more. */
export const slow = [
  'browser/dashboard-{looks,work}.test.ts',
  'cli/commands/counter/{corrections,kill}.test.ts',
  'cli/every-command/{answers,output,usage}.test.ts',
  'cli/{examples,examples-in-shell}.test.ts',
  'delivery/{arm64,deb,release}.test.ts',
  'guide.test.ts',
  'service/database/postgres/{backup,two-services}.test.ts',
  'service/files/s3.test.ts',
];

const left = Object.keys(leftToFull);
const quick = Object.keys(quickOnPostgres);
const below = (patterns: readonly string[]) => patterns.map((pattern) => `test/${pattern}`);

/** The built command again, as the executable. */
const asExecutable = [
  'cli/framework/completion/complete.test.ts',
  'cli/commands/serve/serve.test.ts',
];
/** The executable alone: it is the built command too. */
const ofExecutable = ['guide.test.ts', 'cli/output/full-disk.test.ts'];
/** What a release consists of, each from nothing. */
const ofRelease = ['delivery/*.test.ts'];

export interface Tier {
  readonly include: string[];
  readonly exclude: string[];
}

/** Pages in a real browser. */
const inBrowser = ['browser/**/*.test.ts'];
/** Every page, actions of staff from beginning to end, and photos of a phone. */
const quickInBrowser = ['browser/{dashboard-pages,dashboard-steps,phone}.test.ts'];

/** By the name of the vitest project. */
export const tiers = {
  sqlite: {
    include: below(['**/*.test.ts']),
    exclude: below([...postgresOnly, ...left, ...ofRelease, ...ofExecutable, ...inBrowser]),
  },
  postgres: { include: below(quick), exclude: below(folderOnly) },
  browser: { include: below(quickInBrowser), exclude: [] },
  'sqlite-full': { include: below(left), exclude: [] },
  'postgres-full': {
    include: below(['service/**/*.test.ts', 'cli/commands/sync/*.test.ts']),
    exclude: below([...folderOnly, ...withoutDatabase, ...quick]),
  },
  'browser-full': { include: below(inBrowser), exclude: below(quickInBrowser) },
  pooler: { include: below(behindPooler), exclude: [] },
  store: { include: below(withStore), exclude: [] },
  delivery: { include: below([...ofRelease, ...asExecutable, ...ofExecutable]), exclude: [] },
} satisfies Record<string, Tier>;
