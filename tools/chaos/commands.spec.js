import { Commands } from './commands.js'

const COMMAND = { id: 1, kind: /** @type {const} */ ('fund'), beganAt: 0, attempts: 1, firstProblem: null }

it('a command counts as prompt when it was acknowledged within ten seconds, and not when it was late or never was', () => {
  const commands = new Commands({ baseUrl: 'http://localhost', webhookSecret: 'secret', deals: {} })
  const begunAt = beganAt => acknowledgedAt => ({ ...COMMAND, beganAt, acknowledgedAt })
  commands.all = [...[10, 9_999, 10_001, null].map(begunAt(0)), ...[20_000, 35_000].map(begunAt(15_000))]
  expect(commands.promptShare(0)).toBe(0.5)
  expect(commands.promptShare(0, 2)).toBe(1)
  expect(commands.promptShare(4)).toBe(0.5)
})

it('commands are counted by the time at which they were acknowledged', () => {
  const commands = new Commands({ baseUrl: 'http://localhost', webhookSecret: 'secret', deals: {} })
  commands.all = [null, 9, 10, 15, 20, 21].map(acknowledgedAt => ({ ...COMMAND, acknowledgedAt }))
  expect(commands.acknowledgedBetween(10, 20)).toBe(3)
  expect(commands.acknowledgedBetween(22, 30)).toBe(0)
})
