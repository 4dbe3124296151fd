import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
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
/** The package from npm has a browser for this system only. */
const HAS_PACKAGE = process.platform === 'linux' && process.arch === 'x64'

/**
 * Starts Chrome or Chromium: the one that CHROME_PATH names, otherwise the one from npm (Linux x64), otherwise an installed one. The one
 * from npm is the same on every machine. It is a headless shell and has no windows, and takes less processor time than an installed one.
 *
 * @param {string[]} args further arguments of the browser
 */
export async function launchChromium(args = []) {
  const installed = () => INSTALLED.find(file => existsSync(file))
  const executablePath = process.env.CHROME_PATH || (HAS_PACKAGE ? await fromNpm() : installed())
  return chromium.launch({ ...(executablePath && { executablePath }), args: [...ARGS, ...args] })
}

/**
 * The browser of the package, which is unpacked beside it at its first use. The package itself would unpack it into the folder for temporary
 * files, and take what is there already: a browser of another version, or one that another run has half unpacked.
 */
async function fromNpm() {
  const folder = path.join(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../unpacked')
  if (!existsSync(folder)) await unpack(folder)
  return path.join(folder, 'chromium')
}

async function unpack(folder) {
  const draft = mkdtempSync(`${folder}-`)
  const { TMPDIR = '/tmp' } = process.env
  process.env.TMPDIR = draft
  try {
    // The package's own arguments are not used: they put all pages into one process and turn off the same-origin policy.
    await (await import('@sparticuz/chromium')).default.executablePath()
    renameSync(draft, folder)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    // Another run may have unpacked it meanwhile.
    if (!existsSync(folder)) throw error
  } finally {
    process.env.TMPDIR = TMPDIR
  }
}
