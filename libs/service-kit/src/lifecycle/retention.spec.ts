import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError, parseConfig } from './config.js'
import { RETENTION, type RetentionSetting, retentionShape } from './retention.js'

const NAMES = Object.keys(RETENTION) as RetentionSetting[]
const parse = (env: Record<string, string>) => z.object(retentionShape(...NAMES)).safeParse(env)

describe('the retention of personal data', () => {
  it('has a usual number of days within its limits, which holds when nothing is set', () => {
    const outside = Object.entries(RETENTION).filter(([, { usual, least, most }]) => usual < least || usual > most)
    expect(outside).toEqual([])
    expect(parse({}).data).toEqual(Object.fromEntries(NAMES.map(name => [name, RETENTION[name].usual])))
  })

  it.each(NAMES)('is refused outside its limits: %s', name => {
    const { least, most } = RETENTION[name]
    for (const days of [least, most]) expect(parse({ [name]: String(days) }).data?.[name]).toBe(days)
    for (const days of [least - 1, most + 1, 1.5, 'a year']) expect(parse({ [name]: String(days) }).success).toBe(false)
  })

  it('names a wrong setting when a service starts', () => {
    const start = () => parseConfig(retentionShape('MAIL_KEPT_DAYS'), { MAIL_KEPT_DAYS: '5000' })
    expect(start).toThrow(ConfigError)
    expect(start).toThrow(/MAIL_KEPT_DAYS/)
  })

  it('is told to operators with the same numbers', () => {
    const page = readFileSync(new URL('../../../../docs/personal-data.md', import.meta.url), 'utf8')
    for (const [name, { usual, least, most }] of Object.entries(RETENTION))
      expect(page).toContain(`| \`${name}\` | ${usual} | ${least} to ${most} |`)
  })
})
