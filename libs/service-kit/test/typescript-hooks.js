import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from '@swc/core'

// The build's own settings, so that a process started from sources behaves as the built one.
const settings = JSON.parse(await readFile(new URL('../../../.swcrc', import.meta.url), 'utf8'))

/** Sources import each other by the file names that the build produces. */
export async function resolve(specifier, context, next) {
  const source = specifier.startsWith('.') ? new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL) : null
  if (source && existsSync(source)) return next(source.href, context)
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const filename = fileURLToPath(url)
  const { code } = await transform(await readFile(filename, 'utf8'), {
    filename,
    swcrc: false,
    jsc: settings.jsc,
    module: { type: 'es6' },
    sourceMaps: 'inline',
  })
  return { format: 'module', source: code, shortCircuit: true }
}
