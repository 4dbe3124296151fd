import fs from 'node:fs'
import path from 'node:path'
import { transform } from '@swc/core'
import { outputOf } from '../built.js'
import { Failure } from '../failure.js'
import { pack } from '../pack.js'
import { ROOT } from '../settings.js'
import { TOPOLOGY } from '../topology.js'

/** Changed copies of mutations stand in the checkout, because they import packages from its `node_modules`. */
const FOLDER = path.join(ROOT, '.build/changed')

/**
 * The source of a file with one change, such as that of a mutation.
 *
 * @throws Failure when the file does not have the text exactly once
 */
export function changedSource({ name, file, find, replace }) {
  const source = fs.readFileSync(path.join(ROOT, file), 'utf8')
  const times = source.split(find).length - 1
  if (times !== 1)
    throw new Failure(
      `"${name}": ${file} has the text below ${times} times, and must have it once. Name it anew.\n${find}`,
    )
  return source.replace(find, () => replace)
}

/** Packs the services of a mutation with its change. Answers the file of each one, by its name. */
export function packChanged(mutation) {
  const target = path.join(FOLDER, mutation.name.replaceAll(/\W+/g, '-'))
  return packWith([mutation], mutation.services, target)
}

/**
 * Packs services with changes of different files into `target`, which must stand in the checkout. Answers the file of each one, by its name.
 *
 * @throws Failure as `changedSource` does
 */
export async function packWith(changes, services, target) {
  const folders = services.map(service => TOPOLOGY.processes.get(service).folder)
  await pack(ROOT, folders, target, Object.fromEntries(await Promise.all(changes.map(compiled))))
  return Object.fromEntries(
    services.map((service, i) => [service, path.join(target, `${path.basename(folders[i])}.js`)]),
  )
}

/** The compiled file of a change's source, and its code with the change. */
async function compiled(change) {
  const { code } = await transform(changedSource(change), {
    swcrc: false,
    configFile: path.join(ROOT, '.swcrc'),
    filename: path.join(ROOT, change.file),
    sourceMaps: false,
  })
  const [, folder, relative] = /^((?:apps|libs)\/[^/]+)\/(.*)$/.exec(change.file) ?? []
  if (!folder) throw new Error(`${change.file} is in no package`)
  return [path.join(ROOT, folder, outputOf(relative)), code]
}

/** Removes all changed copies. */
export const removeChanged = () => fs.rmSync(FOLDER, { recursive: true, force: true })
