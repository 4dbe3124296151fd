import { describe, expect, it } from 'vitest'
import { judge } from './verdict.js'

const fault = { name: 'lag', alert: 'ConsumerLags', also: ['PartitionWaits'] }

describe('a fault', () => {
  it('is right when its alert fires alone, or with one that is also true', () => {
    expect(judge(fault, { firedAfterMs: 90_000, others: [] })).toMatchObject({ ok: true })
    expect(judge(fault, { firedAfterMs: 90_000, others: ['PartitionWaits'] })).toEqual({
      ok: true,
      line: 'lag              ConsumerLags after 90.0 s, also PartitionWaits',
    })
  })

  it('is wrong when its alert does not fire, whatever else does', () => {
    expect(judge(fault, { firedAfterMs: null, others: ['PartitionWaits'] })).toMatchObject({ ok: false })
  })

  it('is wrong when another alert fires', () => {
    expect(judge(fault, { firedAfterMs: 90_000, others: ['RedisDown'] })).toEqual({
      ok: false,
      line: 'lag              ConsumerLags after 90.0 s, WRONG RedisDown',
    })
  })

  it('is wrong when it could not be tried', () => {
    expect(judge(fault, { problem: 'no disk' })).toEqual({ ok: false, line: 'lag              not tried: no disk' })
  })
})
