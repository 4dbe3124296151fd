import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense, useState } from 'react'
import { loadedAhead } from './loaded-ahead.js'

function Counter() {
  const [count, setCount] = useState(0)
  return (
    <button type="button" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  )
}

const start = () => loadedAhead(async () => ({ default: Counter }))

test('a component that is loaded ahead shows at once', async () => {
  const Ahead = start()
  await Ahead.load()
  render(<Ahead />)
  expect(screen.getByRole('button')).toBeTruthy()
})

test('loading it while it is shown keeps its state', async () => {
  const Shown = start()
  const page = (
    <Suspense>
      <Shown />
    </Suspense>
  )
  const { rerender } = render(page)
  await userEvent.click(await screen.findByRole('button', { name: '0' }))
  await act(Shown.load)
  rerender(page)
  expect(screen.getByRole('button', { name: '1' })).toBeTruthy()
})
