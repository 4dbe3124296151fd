import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PasswordJudge } from './password-judge.js'
import scoreOf from './password-score.js'

const judge = new PasswordJudge(1)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'judge-'))
})
afterAll(async () => {
  await judge.close()
  await rm(folder, { recursive: true })
})

/** zxcvbn judges it for a twentieth of a second or more. */
const HARD = { password: 'P@ssw0rd'.repeat(4), words: [] }

/** How often the event loop turns while `work` is done. */
async function turnsDuring(work: () => unknown): Promise<number> {
  let turns = 0
  let isDone = false
  const turn = () => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await work()
  isDone = true
  return turns
}

test('other requests are handled while a password is judged, and the score is the same', async () => {
  let score: number | undefined
  const turns = await turnsDuring(async () => {
    score = await judge.scoreOf(HARD)
  })
  expect(score).toBe(scoreOf(HARD))
  // In the same thread it would be none.
  expect(await turnsDuring(() => scoreOf(HARD))).toBe(0)
  expect(turns).toBeGreaterThan(10)
})

test('a judgement that fails ends no other', async () => {
  const failing = judge.scoreOf({ ...HARD, words: null as unknown as string[] })
  await expect(failing).rejects.toThrow()
  expect(await judge.scoreOf(HARD)).toBe(scoreOf(HARD))
})

test('sees at boot that the threads start', async () => {
  await judge.check()
})

describe('a thread', () => {
  const uncaught: unknown[] = []
  const keep = (error: unknown) => void uncaught.push(error)
  beforeAll(() => void process.on('uncaughtException', keep).on('unhandledRejection', keep))
  afterAll(() => void process.off('uncaughtException', keep).off('unhandledRejection', keep))

  /** A judge whose threads run this code. */
  async function judgeOf(code: string, { threads = 2, timeoutMs = 60_000 } = {}) {
    const file = path.join(folder, `${threads}-${code.length}.mjs`)
    await writeFile(file, code)
    return { judge: new PasswordJudge(threads, { file, timeoutMs }), file }
  }

  test('that cannot start refuses what waits for it at once, fails the boot, and does not end the process', async () => {
    const { judge, file } = await judgeOf("throw new Error('no such dictionary')", { threads: 1 })
    const begun = performance.now()
    const waiting = [HARD, HARD, HARD].map(each => judge.scoreOf(each).catch(({ code }) => code))
    expect(await Promise.all(waiting)).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
    expect(await judge.scoreOf(HARD).catch(({ code }) => code)).toBe('UNAVAILABLE')
    await expect(judge.check()).rejects.toThrow('does not start')
    expect(performance.now() - begun).toBeLessThan(30_000)
    const two = await judgeOf("throw new Error('none of two')")
    const ofTwo = [HARD, HARD, HARD].map(each => two.judge.scoreOf(each).catch(({ code }) => code))
    expect(await Promise.all(ofTwo)).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE'])
    await writeFile(file, 'export default () => 4')
    expect(await judge.scoreOf(HARD)).toBe(4)
    await judge.close()
    expect(uncaught).toEqual([])
  })

  test('that is killed while it judges, or ends by itself, is replaced', async () => {
    const { judge } = await judgeOf(
      `export default ({ password }) => password === 'throw' ? setImmediate(() => { throw new Error('killed') }) && new Promise(() => {})
        : password === 'exit' ? process.exit(1) : 3`,
      { threads: 1, timeoutMs: 3_000 },
    )
    expect(await judge.scoreOf({ password: 'good', words: [] })).toBe(3)
    await expect(judge.scoreOf({ password: 'throw', words: [] })).rejects.toThrow()
    expect(await judge.scoreOf({ password: 'good', words: [] })).toBe(3)
    await expect(judge.scoreOf({ password: 'exit', words: [] })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await judge.scoreOf({ password: 'good', words: [] })).toBe(3)
    await judge.close()
    expect(uncaught).toEqual([])
  })

  test('that hangs is ended, and does not delay the end of the process', async () => {
    const hang = "export default ({ password }) => { while (password === 'hang') {} return 3 }"
    const { judge } = await judgeOf(hang, { threads: 1, timeoutMs: 2_000 })
    await expect(judge.scoreOf({ password: 'hang', words: [] })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await judge.scoreOf({ password: 'good', words: [] })).toBe(3)
    await judge.close()
    const other = await judgeOf(`${hang} // for long`, { threads: 1 })
    const hanging = other.judge.scoreOf({ password: 'hang', words: [] }).catch(() => 'ended')
    await new Promise(resolve => setTimeout(resolve, 500))
    await other.judge.close()
    expect(await hanging).toBe('ended')
    expect(uncaught).toEqual([])
  })
})
