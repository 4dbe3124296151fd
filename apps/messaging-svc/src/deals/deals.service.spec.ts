import { newId } from '@holdfast/kernel/ids'
import { DealsService, MAX_WAITING, MAX_WAITING_PER_USER } from './deals.service.js'

/** A service for which every deal is missing until `arrive` is called. */
function scene() {
  let deal: object | null = null
  const deals = new DealsService({ findOneBy: async () => deal } as never)
  const wait = (userId: string = newId()) => deals.getForParty(7, userId)
  return { wait, arrive: () => (deal = { hidden: false }) }
}

test('so many requests of all users, and a few of each, wait for a deal; when they have ended, as many may wait again', async () => {
  const { wait, arrive } = scene()
  const nosy = Array.from({ length: MAX_WAITING_PER_USER }, () => wait('nosy'))
  const others = Array.from({ length: MAX_WAITING - MAX_WAITING_PER_USER }, () => wait())
  await expect(wait('nosy')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await expect(wait()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  for (const ended of await Promise.allSettled([...nosy, ...others]))
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'TRANSACTION_NOT_FOUND' } })
  const again = [...Array.from({ length: MAX_WAITING - 1 }, () => wait()), wait('nosy')]
  arrive()
  expect(await Promise.all(again)).toHaveLength(MAX_WAITING)
})
