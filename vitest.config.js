import { transform } from '@swc/core'
import { defineConfig } from 'vitest/config'

/** Compiles the services as the build does, since Nest needs the metadata of decorators. The build's own file leaves tests out. */
const swc = {
  name: 'swc',
  enforce: 'pre',
  async transform(code, id) {
    const [file] = id.split('?')
    if (!file.endsWith('.ts')) return null
    return transform(code, {
      filename: file,
      swcrc: false,
      sourceMaps: true,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        keepClassNames: true,
        experimental: { keepImportAttributes: true },
      },
      module: { type: 'es6' },
    })
  },
}

// On a busy machine, migrating a database and booting a service takes many seconds. A test that passes never waits this long.
const LIMITS = { testTimeout: 120_000, hookTimeout: 120_000 }
const OURS = ['libs/**', 'apps/**', 'tools/**']
const NEVER = ['**/node_modules/**', '**/dist/**', '**/.build/**', '**/.data/**']
const ending = end => OURS.map(place => `${place}/*${end}`)

// Integration tests that mostly wait: for time limits, for pauses, for processes. `npm test` runs them beside the others.
const WAITING = [
  'libs/timers/**/*.integration.spec.ts',
  'apps/escrow-svc/src/deals/hanging-provider.integration.spec.ts',
  'apps/escrow-svc/src/outages/*.integration.spec.ts',
  'apps/escrow-svc/src/payments/refunds.integration.spec.ts',
  'apps/gateway/src/ingress/connections.integration.spec.ts',
]

// Integration tests of services that publish or consume events, keep timers or store objects.
const DISTRIBUTED = [
  'apps/{dispute,listing,messaging}-svc/src/**/*.integration.spec.ts',
  'apps/identity-svc/src/{account,admin,credentials,notification-mails,plans,profile,push,sessions,sms,users,verification}/*.integration.spec.ts',
  'apps/escrow-svc/src/{accounts,approvals,billing,dead-letters,outages,payouts,reviews,tracking}/*.integration.spec.ts',
  'apps/escrow-svc/src/deals/{deadlines,deals}.integration.spec.ts',
  'apps/escrow-svc/src/payments/{chargebacks,provider-days,unhandled-events,unknown-movements}.integration.spec.ts',
  'apps/gateway/src/replicas.integration.spec.ts',
]
const NOT_DISTRIBUTED = [
  // Of the database alone.
  'apps/*/src/migrations/*.integration.spec.ts',
  'apps/dispute-svc/src/cases/{races,sent-twice}.integration.spec.ts',
  'apps/listing-svc/src/listings/browsing.integration.spec.ts',
  'apps/messaging-svc/src/conversations/*.integration.spec.ts',
  // Of the embedded log. two-releases.engines.spec.ts is its twin.
  'apps/messaging-svc/src/deal-events/two-releases.integration.spec.ts',
  // Two databases at the same time, and a Kafka belongs to one.
  'apps/escrow-svc/src/outages/outages.integration.spec.ts',
  'apps/listing-svc/src/browse-reads.integration.spec.ts',
]

/** Tests of the services' side. `isolate: false`: a worker loads each module once for all of its test files, which halves the time. */
const onNode = (name, test) => ({
  plugins: [swc],
  oxc: false,
  ssr: { resolve: { conditions: ['source', 'node', 'node-addons'] } },
  test: {
    name,
    environment: 'node',
    pool: 'forks',
    isolate: false,
    ...LIMITS,
    ...test,
    exclude: [...NEVER, ...(test.exclude ?? [])],
  },
})

// These replace modules, or need the state that modules have in a page that was just opened.
const ALONE = ['app/later', 'app/opened-signed-out', 'app/startup-gate', 'features/payment/stripe-card-form'].map(
  name => `apps/web/src/${name}.spec.tsx`,
)

/** Tests of the browser's side: JSX, a DOM, and the browser's resolution of packages. */
const inBrowser = (name, test) => ({
  resolve: {
    conditions: ['source', 'module', 'browser'],
    alias: [{ find: /^virtual:(admin-)?routes$/, replacement: '/apps/web/test/routes.ts' }],
  },
  test: { name, environment: 'jsdom', setupFiles: ['./apps/web/test/browser.ts'], ...LIMITS, ...test },
})

export default defineConfig({
  test: {
    projects: [
      onNode('unit', {
        include: [...ending('.spec.ts'), 'tools/{backup,bench,chaos,deploy,dev,faults,load}/**/*.spec.js'],
        exclude: ['**/*.{integration,launch,engines,prometheus}.spec.{ts,js}', 'apps/web/**'],
      }),
      onNode('integration', { include: ending('.integration.spec.ts'), exclude: WAITING }),
      onNode('waiting', { include: WAITING }),
      // The same tests on the distributed profile (tools/dev/distributed-tests.js).
      onNode('distributed', { include: DISTRIBUTED, exclude: NOT_DISTRIBUTED }),
      // On a real Kafka, Redis or S3, which the tests start, stop and kill (tools/engines).
      onNode('engines', {
        include: [...ending('.engines.spec.ts'), 'tools/{backup,deploy,dev,load}/*.engines.spec.js'],
      }),
      // On promtool and amtool: only `npm run check:deploy` runs it.
      onNode('prometheus', { include: ['tools/deploy/*.prometheus.spec.js'] }),
      // Starts and kills the built product and its PostgreSQL, again and again: only `npm test` runs it.
      onNode('launcher', { include: ['tools/{backup,deploy,dev}/*.launch.spec.js'] }),
      inBrowser('web', {
        include: ['apps/web/{src,test}/**/*.spec.{ts,tsx}'],
        exclude: [...NEVER, ...ALONE],
        isolate: false,
      }),
      inBrowser('web-alone', { include: ALONE }),
    ],
  },
})
