import { execFile } from 'node:child_process'

const SESSION = new URL('./session.js', import.meta.url).href
/** A run that ends well, and leaves three things to undo, of which one cannot be undone. */
const PROGRAM = `
  import { session } from '${SESSION}'
  await session(async (_, undo) => {
    undo.push(() => console.log('the folder is removed'))
    undo.push(() => { throw new Error('the disk is busy') })
    undo.push(() => console.log('the ports are free'))
    return 0
  })`

it('undoes all that it can when a step fails, shows why, and ends with 1', async () => {
  const { code, output } = await new Promise(resolve => {
    execFile(process.execPath, ['--input-type=module', '-e', PROGRAM], (error, stdout) =>
      resolve({ code: error?.code, output: stdout }),
    )
  })
  expect(output).toMatch(/the ports are free\n.*the disk is busy.*the folder is removed\n$/s)
  expect(code).toBe(1)
})
