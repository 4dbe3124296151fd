import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** The table of the pages, from the folder of the web app. */
export const ROUTER = 'src/app/router.tsx'
/** The beginning of a line of the router's table. */
const LINE = /\bscreen\(\s*pages\./g
/** Such a line, as in `screen(pages.home, () => import('../features/landing/landing-page.js')`. */
const SCREEN = /\bscreen\(\s*pages\.(\w+),\s*\(\) =>\s*import\('([^']+)'\)/g
/** The gateway sends no file of a folder whose name begins with a dot. It only reads this one. */
const FILE = '.vite/page-files.json'

/**
 * Writes a file that says which scripts each page needs in addition to those that index.html names: page name → files. The
 * gateway names these scripts in the HTML of the page, and `npm run check` weighs the pages.
 */
export function pageFiles(): Plugin {
  let root = ''
  return {
    name: 'holdfast:page-files',
    apply: 'build',
    configResolved: config => {
      root = config.root
    },
    generateBundle(_options, bundle) {
      this.emitFile({ type: 'asset', fileName: FILE, source: JSON.stringify(filesOfPages(root, bundle), null, 1) })
    },
  }
}

/** @throws Error when a line of the router's table cannot be read, or when the code of its page is not a file of its own */
function filesOfPages(root: string, bundle: Rolldown.OutputBundle): Record<string, readonly string[]> {
  const router = path.join(root, ROUTER)
  const chunks = Object.values(bundle).filter(output => output.type === 'chunk')
  const scriptsOf = (chunk: Rolldown.OutputChunk, found = new Set<string>()): Set<string> => {
    if (found.has(chunk.fileName)) return found
    found.add(chunk.fileName)
    for (const one of chunks) if (chunk.imports.includes(one.fileName)) scriptsOf(one, found)
    return found
  }
  const first = chunks.find(chunk => chunk.isEntry)
  if (!first) throw new Error('the web app has no entry')
  const always = scriptsOf(first)
  const table = readFileSync(router, 'utf8')
  const lines = [...table.matchAll(SCREEN)]
  if (lines.length !== table.match(LINE)?.length) throw new Error(`${ROUTER}: a line of the table cannot be read`)
  const screens = lines.map(([, page, source]) => {
    const module = path.resolve(path.dirname(router), source!.replace(/\.js$/, '.tsx'))
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module)
    if (!chunk) throw new Error(`${ROUTER}: no file was made of ${source}`)
    return [page!, [...scriptsOf(chunk)].filter(file => !always.has(file))] as const
  })
  return Object.fromEntries(screens)
}
