import { afterAll, expect, test } from 'vitest'
import { PasswordJudge } from './password-judge.js'
import scoreOf from './password-score.js'

const judge = new PasswordJudge(1)
afterAll(() => judge.close())

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
