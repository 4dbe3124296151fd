const base = {
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.tsx?$': [
      '@swc/jest',
      {
        // These options are all there is: the build's file leaves tests out, and must not be merged in here.
        swcrc: false,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: false, decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
  transformIgnorePatterns: ['/node_modules/'],
  testEnvironmentOptions: { customExportConditions: ['source', 'node', 'node-addons'] },
  modulePathIgnorePatterns: ['/dist/', '/.data/', '/.build/'],
}

// Integration tests that mostly wait: for time limits, for pauses, for processes. `npm test` runs them beside the others.
const WAITING = [
  'libs/timers/',
  'apps/escrow-svc/src/deals/hanging-provider.',
  'apps/escrow-svc/src/outages/',
  'apps/escrow-svc/src/payments/refunds.',
  'apps/gateway/src/ingress/connections.',
]

export default {
  projects: [
    {
      ...base,
      displayName: 'unit',
      roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
      testMatch: ['**/*.spec.ts', '**/tools/{dev,bench}/*.spec.js'],
      testPathIgnorePatterns: ['/node_modules/', '\\.(integration|launch)\\.spec\\.[jt]s$', '/apps/web/'],
    },
    {
      ...base,
      displayName: 'integration',
      roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
      testMatch: ['**/*.integration.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...WAITING],
    },
    {
      ...base,
      displayName: 'waiting',
      roots: ['<rootDir>/libs', '<rootDir>/apps'],
      testMatch: WAITING.map(place => `**/${place}${place.endsWith('/') ? '**/*.' : ''}integration.spec.ts`),
    },
    {
      // The browser's side: JSX, a DOM, and the browser's resolution of packages.
      ...base,
      displayName: 'web',
      roots: ['<rootDir>/apps/web/src', '<rootDir>/apps/web/test'],
      testMatch: ['**/*.spec.ts', '**/*.spec.tsx'],
      testEnvironment: '<rootDir>/apps/web/build/dom-environment.js',
      setupFilesAfterEnv: ['<rootDir>/apps/web/test/patience.ts'],
      testEnvironmentOptions: { customExportConditions: ['source', 'browser'] },
      moduleNameMapper: { ...base.moduleNameMapper, '^virtual:(admin-)?routes$': '<rootDir>/apps/web/test/routes.ts' },
      transform: {
        '\\.tsx?$': [
          '@swc/jest',
          {
            swcrc: false,
            jsc: {
              target: 'es2022',
              parser: { syntax: 'typescript', tsx: true },
              transform: { react: { runtime: 'automatic' } },
              experimental: { keepImportAttributes: true },
            },
            module: { type: 'es6' },
          },
        ],
      },
    },
    {
      // Starts and kills the built product and its PostgreSQL, again and again: only `npm test` runs it.
      ...base,
      displayName: 'launcher',
      roots: ['<rootDir>/tools/dev'],
      testMatch: ['**/*.launch.spec.js'],
    },
  ],
}
