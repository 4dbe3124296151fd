import { act, renderHook } from '@testing-library/react'
import { useState } from 'react'
import { useInTurn } from './use-in-turn.js'

/** Items are kept when `release` is called, as pictures are when they have been scaled. */
function useKept() {
  const [kept, setKept] = useState<readonly string[]>([])
  const [calls] = useState<{ present: number; items: readonly string[]; release: () => void }[]>([])
  const { add, isBusy } = useInTurn<string>(async items => {
    await new Promise<void>(release => calls.push({ present: kept.length, items, release }))
    setKept(before => [...before, ...items])
  })
  return { kept, calls, add, isBusy }
}

test('what is added during a call waits for the next one, which sees what the call before has changed', async () => {
  const { result } = renderHook(useKept)
  await act(async () => result.current.add(['a', 'b']))
  await act(async () => result.current.add(['c']))
  await act(async () => result.current.add(['d']))
  expect(result.current.calls).toMatchObject([{ present: 0, items: ['a', 'b'] }])
  expect(result.current.isBusy).toBe(true)

  await act(async () => result.current.calls[0]!.release())
  expect(result.current.calls[1]).toMatchObject({ present: 2, items: ['c', 'd'] })

  await act(async () => result.current.calls[1]!.release())
  expect(result.current).toMatchObject({ kept: ['a', 'b', 'c', 'd'], isBusy: false })
  expect(result.current.calls).toHaveLength(2)
})

test('no items are no call', async () => {
  const { result } = renderHook(useKept)
  await act(async () => result.current.add([]))
  expect(result.current).toMatchObject({ calls: [], isBusy: false })
})
