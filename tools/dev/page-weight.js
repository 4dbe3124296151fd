import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { Failure } from './failure.js'

/** The most script that a page may load before it shows, in bytes as gzip sends them. */
export const MAX_SCRIPT_BYTES = 120_000

const ENTRY = 'index.html'
const IS_PAGE = /-page\.tsx$/
const FONT = /<link rel="preload" href="\/([^"]+\.woff2)"/g

/**
 * What the first visit of each page loads before the page shows: its scripts, style sheets and preloaded fonts. What is
 * loaded later, such as dialogs and menus, is not counted.
 *
 * @param {string} dist the built web app
 * @returns {{ page: string, script: number, style: number, font: number, files: number }[]} sizes in bytes, as they are sent
 *   with gzip; the heaviest page first
 */
export function weighPages(dist) {
  const manifest = JSON.parse(fs.readFileSync(path.join(dist, '.vite/manifest.json'), 'utf8'))
  const html = fs.readFileSync(path.join(dist, ENTRY), 'utf8')
  const sizes = new Map()
  const sizeOf = file => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(fs.readFileSync(path.join(dist, file)), { level: 9 }).length)
    return sizes.get(file)
  }
  const sum = (files, weigh) => [...files].reduce((bytes, file) => bytes + weigh(file), 0)
  // A font is compressed already, so it is sent as it is.
  const font = sum(
    [...html.matchAll(FONT)].map(([, file]) => file),
    file => fs.statSync(path.join(dist, file)).size,
  )
  return manifest[ENTRY].dynamicImports
    .filter(source => IS_PAGE.test(source))
    .map(source => {
      const chunks = [...needed(manifest, source, needed(manifest, ENTRY))].map(key => manifest[key])
      const styles = new Set(chunks.flatMap(({ css = [] }) => css))
      return {
        page: path.basename(source, '-page.tsx'),
        script: sum(
          chunks.map(({ file }) => file),
          sizeOf,
        ),
        style: sum(styles, sizeOf),
        font,
        files: chunks.length,
      }
    })
    .sort((a, b) => b.script - a.script)
}

/** The keys of a chunk and of all that it imports. */
function needed(manifest, key, found = new Set()) {
  if (found.has(key)) return found
  found.add(key)
  for (const imported of manifest[key].imports ?? []) needed(manifest, imported, found)
  return found
}

/**
 * Checks that no page loads more script than it may. Answers a note with the weight of the heaviest page.
 *
 * @param {string} dist the built web app
 * @throws {Failure} with a line for each page that is too heavy
 */
export function checkPageWeights(dist) {
  const pages = weighPages(dist)
  const tooHeavy = pages.filter(({ script }) => script > MAX_SCRIPT_BYTES)
  if (tooHeavy.length === 0) return `at most ${kilobytes(pages[0].script)} of script (${pages[0].page})`
  throw new Failure(
    `Pages that load more than ${kilobytes(MAX_SCRIPT_BYTES)} of script before they show. Load a part of them later:`,
    tooHeavy.map(({ page, script, files }) => `${page}: ${kilobytes(script)} in ${files} files`),
  )
}

const kilobytes = bytes => `${(bytes / 1_000).toFixed(1)} KB`
