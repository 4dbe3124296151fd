import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Failure } from './failure.js'

/** The most script that a page may load before it is shown, in bytes after gzip. */
export const MAX_SCRIPT_BYTES = 150_000

/** What Vite writes: source file → its built file, and what that file imports. */
const MANIFEST = '.vite/manifest.json'
/** The code of a page is in a file of its own, such as `dashboard-page.tsx`. */
const PAGE = '-page'
const INDEX = 'index.html'
/** A page of the operator's console, and the code that stands around each of them. */
const OF_CONSOLE = /^admin-/
const CONSOLE = 'console-frame'
/** What index.html names: the style sheets of every page, and the preloaded fonts. */
const NAMED_FIRST = /(?:src|href)="\/(assets\/[^"]+\.(css|woff2))"/g

/**
 * What the first visit of each page loads before the page is shown: its scripts, style sheets and preloaded fonts. What is
 * loaded later, such as dialogs and menus, is not counted.
 *
 * @param {string} dist the built web app
 * @returns {{ page: string, script: number, style: number, font: number, files: number }[]} sizes in bytes after gzip, and the
 *   number of scripts; the heaviest page first
 */
export function weighPages(dist) {
  const named = [...fs.readFileSync(path.join(dist, INDEX), 'utf8').matchAll(NAMED_FIRST)]
  const filesOf = wanted => [...new Set(named.flatMap(([, file, kind]) => (kind === wanted ? [file] : [])))]
  const read = file => fs.readFileSync(path.join(dist, file))
  const sum = (files, weigh) => files.reduce((bytes, file) => bytes + weigh(file), 0)
  const gzipped = file => gzipSync(read(file), { level: 9 }).length
  const style = sum(filesOf('css'), gzipped)
  // A font is compressed already, so it is sent as it is.
  const font = sum(filesOf('woff2'), file => read(file).length)
  const manifest = JSON.parse(String(read(MANIFEST)))
  const filesWith = (key, found = new Set()) => {
    const { file, imports = [] } = manifest[key]
    if (!found.has(file)) {
      found.add(file)
      for (const each of imports) filesWith(each, found)
    }
    return found
  }
  const built = Object.entries(manifest)
  const frame = built.find(([, { name }]) => name === CONSOLE)?.[0]
  return built
    .filter(([, { name, isDynamicEntry }]) => isDynamicEntry && name.endsWith(PAGE))
    .map(([key, { name }]) => {
      const first = filesWith(INDEX)
      if (frame !== undefined && OF_CONSOLE.test(name)) filesWith(frame, first)
      const scripts = [...filesWith(key, first)]
      return { page: name.slice(0, -PAGE.length), script: sum(scripts, gzipped), style, font, files: scripts.length }
    })
    .sort((a, b) => b.script - a.script)
}

/**
 * Checks that no page loads more script than it may. Answers a note that names the heaviest page.
 *
 * @param {string} dist the built web app
 * @throws {Failure} with a line for each page that is too heavy
 */
export function checkPageWeights(dist) {
  const pages = weighPages(dist)
  const tooHeavy = pages.filter(({ script }) => script > MAX_SCRIPT_BYTES)
  if (tooHeavy.length === 0) return `at most ${kilobytes(pages[0].script)} of script (${pages[0].page})`
  throw new Failure(
    `Pages that load more than ${kilobytes(MAX_SCRIPT_BYTES)} of script before they are shown. Load a part of it later:`,
    tooHeavy.map(({ page, script, files }) => `${page}: ${kilobytes(script)} in ${files} files`),
  )
}

const kilobytes = bytes => `${(bytes / 1_000).toFixed(1)} KB`
