import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Page, pages } from '@holdfast/contracts/pages'
import { z } from 'zod'

/** Written by Vite: the key of each built file → the file, and the keys of the files that it imports. */
const MANIFEST = '.vite/manifest.json'
const manifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    name: z.string().optional(),
    isDynamicEntry: z.boolean().optional(),
    imports: z.array(z.string()).default([]),
  }),
)
const INDEX = 'index.html'
/** What stands around every page of the operator's console. */
const CONSOLE = 'console-frame'

/**
 * Reads which scripts each page needs in addition to those that index.html names, as addresses on our origin. The name of a page is also that of
 * its file: the code of `fileDispute` is in `file-dispute-page.tsx`. A page without such a file, such as a redirect, has no scripts.
 *
 * @param root the folder of the built web app
 * @throws Error when the build did not write them
 */
export function readPageFiles(root: string): (page: Page) => readonly string[] {
  const built = manifest.parse(JSON.parse(readFileSync(path.join(root, MANIFEST), 'utf8')))
  const filesWith = (key: string, found = new Set<string>()): Set<string> => {
    const { file, imports } = built[key] ?? { file: '', imports: [] }
    if (file === '' || found.has(file)) return found
    found.add(file)
    for (const each of imports) filesWith(each, found)
    return found
  }
  const always = filesWith(INDEX)
  const keys = new Map(Object.entries(built).flatMap(([key, each]) => (each.isDynamicEntry ? [[each.name, key]] : [])))
  const addresses = new Map(
    Object.entries<Page>(pages).map(([name, page]) => {
      const own = [fileOf(name), ...(page.access === 'admin' ? [CONSOLE] : [])]
      const files = own.flatMap(each => [...filesWith(keys.get(each) ?? '')])
      return [page, [...new Set(files)].filter(file => !always.has(file)).map(file => `/${file}`)]
    }),
  )
  return page => addresses.get(page) ?? []
}

const fileOf = (name: string) => `${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}-page`
