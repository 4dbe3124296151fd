import fs from 'node:fs'
import path from 'node:path'
import { ROOT } from './settings.js'

/** It runs again for each spec file. */
const SETUP = path.join('apps', 'web', 'test', 'browser.ts')
const SPEC = /\.spec\.[jt]sx?$/
const SOURCE = /\.[jt]sx?$/
/** Folders whose files are generated or installed. */
const GENERATED = new Set(['node_modules', 'dist', '.build', '.data'])
/** The formatter indents what stands in a function. */
const AT_IMPORT = /^(?:before|after)(?:Each|All)\(/m

function filesBelow(folder) {
  return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) return GENERATED.has(entry.name) ? [] : filesBelow(file)
    return SOURCE.test(entry.name) ? [file] : []
  })
}
const registersAtImport = file => AT_IMPORT.test(fs.readFileSync(path.join(ROOT, file), 'utf8'))

// The spec files of a worker share modules: a hook that a module registers at its import holds for the first of these files alone.
it('only spec files and the setup file of the web’s tests register hooks when they are imported', () => {
  const files = ['libs', 'apps', 'tools', 'e2e'].flatMap(filesBelow)
  expect(files.filter(file => SPEC.test(file)).filter(registersAtImport).length).toBeGreaterThan(50)
  expect(files.filter(file => !SPEC.test(file)).filter(registersAtImport)).toEqual([SETUP])
})
