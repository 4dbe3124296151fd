import type { LiveMessage } from './live-message.js'
import { ARRIVAL_OVERLAP_MS, RESUME_OVERLAP_MS, RecentMessages } from './recent-messages.js'

const message = (id: string, ...recipients: string[]): LiveMessage => ({ id, recipients, text: id })
const ids = (messages: LiveMessage[] | null) => messages?.map(({ id }) => id)

describe('the recent messages', () => {
  it('since a message are the later ones for the user', () => {
    const recent = new RecentMessages()
    recent.add(message('1', 'ana'), 0)
    recent.add(message('2', 'ben', 'ana'), 10_000)
    recent.add(message('3', 'ben'), 20_000)
    recent.add(message('4', 'ana'), 30_000)
    expect(ids(recent.since('1', 'ana'))).toEqual(['2', '4'])
    expect(ids(recent.since('4', 'ana'))).toEqual([])
    expect(recent.newestId).toBe('4')
  })

  it('since a message also contain those shortly before it, because replicas may receive them in another order', () => {
    const recent = new RecentMessages()
    recent.add(message('early', 'ana'), 0)
    recent.add(message('near', 'ana'), RESUME_OVERLAP_MS)
    recent.add(message('here', 'ana'), RESUME_OVERLAP_MS + 1)
    expect(ids(recent.since('here', 'ana'))).toEqual(['near'])
  })

  it('for a new stream are those of a short time before it', () => {
    const recent = new RecentMessages()
    recent.add(message('long ago', 'ana'), 0)
    recent.add(message('near', 'ana'), 1)
    recent.add(message('other', 'ben'), 2)
    expect(ids(recent.beforeArrival(ARRIVAL_OVERLAP_MS + 1, 'ana'))).toEqual(['near'])
    expect(ids(recent.beforeArrival(ARRIVAL_OVERLAP_MS + 2, 'ana'))).toEqual([])
  })

  it('since an unknown message are null', () => {
    expect(new RecentMessages().since('unknown', 'ana')).toBeNull()
  })

  it('are limited in number, and each kept one is found', () => {
    const recent = new RecentMessages(3)
    for (let i = 0; i < 20; i++) recent.add(message(`${i}`, 'ana'), i * 100_000)
    expect(recent.since('2', 'ana')).toBeNull()
    expect(ids(recent.since('17', 'ana'))).toEqual(['18', '19'])
  })

  it('hold a message once', () => {
    const recent = new RecentMessages()
    expect(recent.add(message('1', 'ana'), 0)).toBe(true)
    expect(recent.add(message('1', 'ana'), 1)).toBe(false)
  })
})
