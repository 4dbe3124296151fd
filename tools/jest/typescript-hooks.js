// Module hooks of Node that compile the TypeScript of this tree when a test imports it. They compile by the settings of the build (`.swcrc`),
// since Nest needs the metadata of decorators. What was compiled is kept on disk, by its content.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transformSync, version } from '@swc/core'

const ROOT = path.join(import.meta.dirname, '../..')
const CONFIG = path.join(ROOT, '.swcrc')
const CACHE = path.join(ROOT, '.build/jest')
const SETTINGS = fs.readFileSync(CONFIG, 'utf8')
const VERSION = createHash('sha256')
  .update(version)
  .update(SETTINGS)
  .update(fs.readFileSync(import.meta.filename))
  .digest('hex')
const { jsc } = JSON.parse(SETTINGS)

fs.mkdirSync(CACHE, { recursive: true })

const ROUTES = 'apps/web/test/routes.ts'
const K6 = 'tools/load/k6-stand-in.js'
/** Modules that only the web app's build or k6 has, and what stands in for them in tests. */
const STAND_INS = {
  'virtual:routes': ROUTES,
  'virtual:admin-routes': ROUTES,
  k6: K6,
  'k6/http': K6,
  'k6/metrics': K6,
  'k6/execution': K6,
}

/**
 * `./x.js` in a TypeScript file names `./x.ts` or `./x.tsx`. What a test file with modules of its own imports from this tree, directly or not, is
 * loaded for that file alone: its mark in the address is handed on.
 */
export async function resolve(specifier, context, next) {
  const found = await next(sourceOf(specifier, context.parentURL), context)
  const [own] = /\?own=\d+$/.exec(context.parentURL ?? '') ?? []
  return own && isOurs(found.url) ? { ...found, url: `${found.url}${own}` } : found
}

/** Imports that name a folder of a package, which bundlers accept and Node does not. */
const FOLDERS = { '@stripe/stripe-js/pure': '@stripe/stripe-js/pure/index.js' }

function sourceOf(specifier, parent) {
  if (specifier in FOLDERS) return FOLDERS[specifier]
  if (specifier in STAND_INS) return pathToFileURL(path.join(ROOT, STAND_INS[specifier])).href
  if (!specifier.startsWith('.') || !specifier.endsWith('.js') || !/\.tsx?(\?|$)/.test(parent)) return specifier
  const source = ['.ts', '.tsx']
    .map(end => specifier.replace(/\.js$/, end))
    .find(each => fs.existsSync(new URL(each, parent)))
  return source ?? specifier
}

const isOurs = url => url.startsWith('file:') && !url.includes('/node_modules/') && !url.includes('?')

export async function load(url, context, next) {
  const [file] = url.split('?')
  if (!/\.tsx?$/.test(file) || file.includes('/node_modules/')) return next(url, context)
  return { format: 'module', source: compiled(fileURLToPath(file)), shortCircuit: true }
}

function compiled(file) {
  const source = fs.readFileSync(file, 'utf8')
  const key = createHash('sha256').update(VERSION).update(file).update('\0').update(source).digest('hex')
  const kept = path.join(CACHE, `${key}.js`)
  if (fs.existsSync(kept)) return fs.readFileSync(kept, 'utf8')
  const { code } = transformSync(source, {
    filename: file,
    swcrc: false,
    sourceMaps: 'inline',
    jsc: {
      ...jsc,
      parser: { ...jsc.parser, tsx: file.endsWith('.tsx') },
      transform: { ...jsc.transform, react: { runtime: 'automatic' } },
    },
    module: { type: 'es6' },
  })
  // Another process may write the same file at the same time.
  fs.writeFileSync(`${kept}.${process.pid}`, code)
  fs.renameSync(`${kept}.${process.pid}`, kept)
  return code
}
