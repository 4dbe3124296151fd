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
/** A container often has no room in /dev/shm, root may not have a sandbox, and no test machine has a graphics card. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb']

/** Starts Chrome or Chromium: the one CHROME_PATH names, an installed one, else the one from npm (Linux x64). */
export async function launchChromium() {
  const installed = [process.env.CHROME_PATH, ...INSTALLED].find(path => path && existsSync(path))
  if (installed) return chromium.launch({ executablePath: installed, args: ARGS })
  const { default: packed } = await import('@sparticuz/chromium')
  return chromium.launch({ executablePath: await packed.executablePath(), args: [...packed.args, ...ARGS] })
}
