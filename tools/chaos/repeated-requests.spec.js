import { expect, it } from 'vitest'
import { AT_ONCE, RepeatedRequests } from './repeated-requests.js'

it('no more than a number of requests are under way, and the others follow when one is done or refused', async () => {
  const requests = new RepeatedRequests()
  const answers = []
  const attempt = () => new Promise(resolve => answers.push(resolve))
  const done = Array.from({ length: AT_ONCE + 2 }, (_, n) => requests.untilDone(`request ${n}`, attempt))
  await new Promise(setImmediate)
  expect(answers).toHaveLength(AT_ONCE)
  answers[0]({ ok: true, status: 200, text: '' })
  answers[1]({ ok: false, status: 400, text: 'no' })
  expect([(await done[0]).status, await done[1]]).toEqual([200, null])
  await new Promise(setImmediate)
  expect(answers).toHaveLength(AT_ONCE + 2)
  for (const answer of answers) answer({ ok: true, status: 200, text: '' })
  await Promise.all(done)
  expect(requests.refusals).toEqual(['request 1: 400 no'])
})
