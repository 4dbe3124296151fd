// Jest runs the tests with the module hooks of tools/jest, so it is started by tools/dev/jest.js.

// Integration tests that mostly wait: for time limits, for pauses, for processes. `npm test` runs them beside the others.
const WAITING = [
  'libs/timers/src/.*\\.integration',
  'apps/escrow-svc/src/deals/hanging-provider\\.integration',
  'apps/escrow-svc/src/outages/[^/]*\\.integration',
  'apps/escrow-svc/src/payments/refunds\\.integration',
  'apps/gateway/src/ingress/connections\\.integration',
]

// Integration tests of services that publish or consume events, keep timers or store objects.
const DISTRIBUTED = [
  'apps/(dispute|listing|messaging)-svc/src/.*\\.integration',
  'apps/identity-svc/src/(account|admin|credentials|notification-mails|plans|profile|push|sessions|sms|users|verification)/[^/]*\\.integration',
  'apps/escrow-svc/src/(accounts|approvals|billing|dead-letters|outages|payouts|reviews|tracking)/[^/]*\\.integration',
  'apps/escrow-svc/src/deals/(deadlines|deals)\\.integration',
  'apps/escrow-svc/src/payments/(chargebacks|provider-days|unhandled-events|unknown-movements)\\.integration',
  'apps/gateway/src/replicas\\.integration',
]
const NOT_DISTRIBUTED = [
  // Of the database alone.
  'apps/[^/]*/src/migrations/[^/]*\\.integration',
  'apps/dispute-svc/src/cases/(races|sent-twice)\\.integration',
  'apps/listing-svc/src/listings/browsing\\.integration',
  'apps/messaging-svc/src/conversations/[^/]*\\.integration',
  // Of the embedded log. two-releases.engines.spec.ts is its twin.
  'apps/messaging-svc/src/deal-events/two-releases\\.integration',
  // Two databases at the same time, and a Kafka belongs to one.
  'apps/escrow-svc/src/outages/outages\\.integration',
  'apps/listing-svc/src/browse-reads\\.integration',
]

const below = names => names.map(name => `/${name}\\.spec\\.[jt]s$`)
const ending = end => `/(apps|libs|tools)/.*\\.${end}\\.spec\\.[jt]s$`

/** A kind of tests: `match` has expressions for its files, `without` for those of another kind. */
const kind = (displayName, { match, without = [], ...more }) => ({
  displayName,
  rootDir: import.meta.dirname,
  roots: ['apps', 'libs', 'tools'].map(folder => `<rootDir>/${folder}`),
  runtime: '<rootDir>/tools/jest/shared-modules-runtime.cjs',
  testEnvironment: '<rootDir>/tools/jest/shared-modules-environment.cjs',
  // Node's module hooks compile.
  transform: {},
  moduleFileExtensions: ['ts', 'tsx', 'js', 'json'],
  modulePathIgnorePatterns: ['/dist/'],
  testRegex: match,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...without],
  // As Node itself calls them. The code under test rarely asks for a time in them, and promises settle by them.
  fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask'] },
  ...more,
})

export default {
  // On a busy machine, migrating a database and booting a service takes many seconds. A test that passes never waits this long.
  testTimeout: 120_000,
  // Pools of connections of the modules that a worker's test files share stay open.
  forceExit: true,
  projects: [
    kind('unit', {
      match: ['/(apps|libs|tools)/.*\\.spec\\.[jt]s$'],
      without: ['\\.(integration|launch|engines|prometheus)\\.spec\\.', '<rootDir>/apps/web/'],
    }),
    // In a run of their own: their workers have a page in their global scope.
    kind('web', {
      match: ['/apps/web/.*\\.spec\\.tsx?$'],
      setupFiles: ['<rootDir>/apps/web/test/dom.ts'],
      setupFilesAfterEnv: ['<rootDir>/apps/web/test/browser.ts'],
      // React's `act` waits by setImmediate.
      fakeTimers: { doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] },
    }),
    kind('integration', { match: [ending('integration')], without: below(WAITING) }),
    kind('waiting', { match: below(WAITING) }),
    // The same tests on the distributed profile (tools/dev/distributed-tests.js).
    kind('distributed', { match: below(DISTRIBUTED), without: below(NOT_DISTRIBUTED) }),
    // On a real Kafka, Redis or S3, which the tests start, stop and kill (tools/engines).
    kind('engines', { match: [ending('engines')] }),
    // On promtool and amtool: only `npm run check:deploy` runs it.
    kind('prometheus', { match: [ending('prometheus')] }),
    // Starts and kills the built product and its PostgreSQL, again and again: only `npm test` runs it.
    kind('launcher', { match: [ending('launch')] }),
  ],
}
