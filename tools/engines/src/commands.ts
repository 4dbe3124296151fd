import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** The folder of the programs and libraries of engines that the system's package manager does not have. */
export const ENGINES_HOME = process.env.ENGINES_HOME ?? path.join(os.homedir(), '.cache', 'holdfast', 'engines')

/** Folders that are searched besides those of the PATH. Go's own installer does not add its folder there. */
const MORE_FOLDERS = [path.join(ENGINES_HOME, 'bin'), '/usr/local/go/bin']

/** The full path of a command; null when the machine does not have it. */
export function findCommand(name: string): string | null {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...MORE_FOLDERS]
  const found = folders.map(folder => path.join(folder, name)).find(file => fs.existsSync(file))
  return found ?? null
}

/** As `findCommand`, for a command that must be there. */
export function commandPath(name: string): string {
  const found = findCommand(name)
  if (found === null) throw new Error(`${name} is not on this machine: see tools/engines/README.md`)
  return found
}
