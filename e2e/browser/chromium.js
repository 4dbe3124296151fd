import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

const INSTALLED = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]
/** A container often has a small /dev/shm, root cannot use the browser's sandbox, and test machines have no graphics card. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb']

/**
 * Starts Chrome or Chromium: the one that CHROME_PATH names, otherwise an installed one, otherwise the one from npm (Linux
 * x64). `CHROME_PATH=npm` always uses the one from npm.
 *
 * @param {string[]} args further arguments of the browser
 */
export async function launchChromium(args = []) {
  const wanted = process.env.CHROME_PATH
  const installed = wanted === 'npm' ? undefined : [wanted, ...INSTALLED].find(path => path && existsSync(path))
  // The package's own arguments are not used: they put all pages into one process and turn off the same-origin policy.
  const executablePath = installed ?? (await (await import('@sparticuz/chromium')).default.executablePath())
  return chromium.launch({ executablePath, args: [...ARGS, ...args] })
}
