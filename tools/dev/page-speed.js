// `npm run page-speed`: starts the product with its demo and measures its pages (e2e/page-speed). Other work on the machine makes
// the figures worse.
import path from 'node:path'
import { installEndToEnd } from './end-to-end.js'
import { EVERYTHING, install, isInstalled } from './install.js'
import { phase } from './output.js'
import { startScratchProduct } from './scratch-product.js'
import { session } from './session.js'
import { ROOT } from './settings.js'

const FOLDER = path.join(ROOT, 'e2e/page-speed')

await session(async (processes, undo) => {
  await installEndToEnd(processes)
  if (!isInstalled(FOLDER, EVERYTHING)) {
    await phase('Installing Lighthouse', note => install(processes, FOLDER, EVERYTHING, note))
  }
  const { baseUrl, sandboxUrl } = await startScratchProduct(processes, undo, 'page-speed')
  const { exited } = processes.spawn('page-speed', process.execPath, [path.join(FOLDER, 'run.js')], {
    cwd: FOLDER,
    env: { ...process.env, BASE_URL: baseUrl, SANDBOX_URL: sandboxUrl, DAY_SECONDS: '86400' },
    output: process.stdout.fd,
  })
  // A run that a signal ended has no code.
  return (await exited).code ?? 1
})
