import fs from 'node:fs'
import path from 'node:path'
import { transform } from '@swc/core'
import { outputOf } from '../built.js'
import { Failure } from '../failure.js'
import { pack } from '../pack.js'
import { ROOT } from '../settings.js'
import { TOPOLOGY } from '../topology.js'

/** Changed copies stand in the checkout, because they import packages from its `node_modules`. */
const FOLDER = path.join(ROOT, '.build/changed')

/**
 * The source of a mutation's file with its one change.
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
export async function packChanged(mutation) {
  const { name, file, services } = mutation
  const source = changedSource(mutation)
  const { code } = await transform(source, {
    swcrc: false,
    configFile: path.join(ROOT, '.swcrc'),
    filename: path.join(ROOT, file),
    sourceMaps: false,
  })
  const [, folder, relative] = /^((?:apps|libs)\/[^/]+)\/(.*)$/.exec(file)
  const target = path.join(FOLDER, name.replaceAll(/\W+/g, '-'))
  const folders = services.map(service => TOPOLOGY.processes.get(service).folder)
  await pack(ROOT, folders, target, { [path.join(ROOT, folder, outputOf(relative))]: code })
  return Object.fromEntries(
    services.map((service, i) => [service, path.join(target, `${path.basename(folders[i])}.js`)]),
  )
}

/** Removes all changed copies. */
export const removeChanged = () => fs.rmSync(FOLDER, { recursive: true, force: true })
