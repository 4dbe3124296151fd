import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { commandPath, ENGINES_HOME, findCommand } from './commands.js'

/** The folder with the sources of a module, such as `k8s.io/api@v0.36.3`. They are fetched unless Go has them. */
export function goModuleFolder(module: string): string {
  const { status, stdout, stderr } = spawnSync(commandPath('go'), ['mod', 'download', '-json', module], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`go mod download ${module} ended with ${status}: ${stdout}${stderr}`)
  return (JSON.parse(stdout) as { Dir: string }).Dir
}

/** The path of a program. Unless this machine has it, it is compiled from `source`, such as `github.com/owner/name@v1.0.0`. */
export function goProgram(name: string, source: string): string {
  if (findCommand(name) === null) installWithGo(source)
  return commandPath(name)
}

/** Compiles a program and keeps it with the engines. */
export function installWithGo(source: string): void {
  const { status } = spawnSync(commandPath('go'), ['install', source], {
    env: { ...process.env, CGO_ENABLED: '0', GOBIN: path.join(ENGINES_HOME, 'bin') },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) throw new Error(`go install ${source} ended with ${status}`)
}
