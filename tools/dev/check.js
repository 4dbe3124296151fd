// `npm run check`: what must hold before a commit. Format and lint, rules of imports, versions of Node, types, the weight of pages,
// unit tests. Each check runs even when an earlier one failed. `--without-tests` leaves the tests out: CI runs them in `npm test`.
import path from 'node:path'
import { build } from './build.js'
import { installEndToEnd } from './end-to-end.js'
import { checkEngines } from './engines.js'
import { Failure } from './failure.js'
import { findBrokenImportRules } from './import-rules.js'
import { installEverything } from './install.js'
import { runJest } from './jest-run.js'
import { phase, say, sayFailure } from './output.js'
import { checkPageWeights } from './page-weight.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { listed, textOf, writeOutcome } from './suites.js'
import { runTask } from './task.js'

await session(async processes => {
  await installEverything(processes, ROOT)
  // For the types of the browser's driver.
  await installEndToEnd(processes)
  const tool = (title, script, args) => () =>
    phase(title, () =>
      runTask(processes, title, process.execPath, [path.join(ROOT, 'node_modules', script), ...args], {
        cwd: ROOT,
        env: process.env,
        failure: `${title} found something:`,
      }),
    )
  const types = (title, project) => tool(title, 'typescript/bin/tsc', ['-p', project])
  const pagesAreLight = async note => {
    await build(processes, note)
    return checkPageWeights(path.join(ROOT, 'apps/web/dist'))
  }
  const checks = [
    tool('Format and lint', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']),
    () => phase('Imports run one way', importsRunOneWay),
    () => phase('Packages run on the promised Node', () => checkEngines(ROOT)),
    types('Types of services and of tools in TypeScript', 'tsconfig.json'),
    types('Types of the web app', 'apps/web/tsconfig.json'),
    types('Types of tools in JavaScript', 'tools/tsconfig.json'),
    types('Types of the journeys', 'e2e/tsconfig.json'),
    () => phase('Pages are light', pagesAreLight),
  ]
  const failures = []
  for (const check of checks) {
    await check().catch(error => {
      if (!(error instanceof Failure)) throw error
      sayFailure(error)
      failures.push(textOf(error))
    })
  }
  if (!process.argv.includes('--without-tests')) {
    for (const kind of ['unit', 'web']) failures.push(...(await runJest(processes, [kind])).failures)
  }
  say('', ...failures.flatMap(failure => listed(failure)))
  // `npm test` counts the same unit tests.
  writeOutcome({ passed: 0, failures })
  return failures.length === 0 ? 0 : 1
})

async function importsRunOneWay() {
  const broken = findBrokenImportRules(ROOT)
  if (broken.length > 0) throw new Failure('Imports that break the rules of docs/architecture.md:', broken)
}
