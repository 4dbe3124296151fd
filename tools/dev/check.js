// `npm run check`: what must hold before a commit. Format and lint, types and unit tests of every project (nx.json), rules of imports,
// versions of Node, the weight of pages. Each check runs even when an earlier one failed. `--without-tests` leaves the tests out: CI runs
// them in `npm test`.
import fs from 'node:fs'
import path from 'node:path'
import { installEndToEnd } from './end-to-end.js'
import { checkEngines } from './engines.js'
import { Failure } from './failure.js'
import { findBrokenImportRules } from './import-rules.js'
import { installEverything } from './install.js'
import { NX, nxEnvironment, projectGraph } from './nx.js'
import { phase, say, sayFailure } from './output.js'
import { checkPageWeights } from './page-weight.js'
import { findBrokenProjectRules } from './project-rules.js'
import { session } from './session.js'
import { ROOT } from './settings.js'
import { listed, textOf, writeOutcome } from './suites.js'
import { runTask } from './task.js'

const PAGES = path.join(ROOT, 'apps/web/dist')

await session(async processes => {
  await installEverything(processes, ROOT)
  // For the types of the browser's driver.
  await installEndToEnd(processes)
  const targets = ['lint', 'typecheck', 'build', ...(process.argv.includes('--without-tests') ? [] : ['test'])]
  const everyProject = () =>
    runTask(
      processes,
      'Nx',
      process.execPath,
      [NX, 'run-many', `--targets=${targets}`, '--output-style=static-failures-only'],
      {
        cwd: ROOT,
        env: nxEnvironment(),
        failure: 'Nx found something:',
        // The failure has only the first and the last lines.
        onLine: say,
      },
    )
  const checks = [
    () => phase(`Nx: ${targets.join(', ')}`, everyProject),
    () => phase('Imports run one way', importsRunOneWay),
    () => phase('Packages run on the promised Node', () => checkEngines(ROOT)),
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
  say('', ...failures.flatMap(failure => listed(failure)))
  // `npm test` counts the same unit tests.
  writeOutcome({ passed: 0, failures })
  return failures.length === 0 ? 0 : 1
})

async function importsRunOneWay() {
  const broken = [...findBrokenImportRules(ROOT), ...findBrokenProjectRules(await projectGraph())]
  if (broken.length > 0) throw new Failure('Imports that break the rules of docs/architecture.md:', broken)
}

async function pagesAreLight() {
  if (!fs.existsSync(path.join(PAGES, 'index.html'))) throw new Failure('The web app is not built.')
  return checkPageWeights(PAGES)
}
