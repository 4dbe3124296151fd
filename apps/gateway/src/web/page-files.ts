import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Page, pages } from '@holdfast/contracts/pages'
import { z } from 'zod'

/** Written by the build of the web app. */
const FILE = '.vite/page-files.json'

/**
 * Reads which scripts each page needs in addition to those that index.html names, as addresses on our origin. A page without a
 * script of its own, such as a redirect, has none.
 *
 * @param root the folder of the built web app
 * @throws Error when the build did not write them
 */
export function readPageFiles(root: string): (page: Page) => readonly string[] {
  const files = z.record(z.string(), z.array(z.string())).parse(JSON.parse(readFileSync(path.join(root, FILE), 'utf8')))
  const addresses = new Map(
    Object.entries<Page>(pages).map(([name, page]) => [page, (files[name] ?? []).map(file => `/${file}`)]),
  )
  return page => addresses.get(page) ?? []
}
