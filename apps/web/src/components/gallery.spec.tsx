import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Gallery } from './gallery.js'

afterEach(() => {
  cleanup()
  jest.restoreAllMocks()
})

test('the same picture twice is two entries, and each can be chosen', async () => {
  const complaints = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  render(<Gallery images={['/a', '/a', '/b']} title="Chair" sizes="50vw" />)
  const second = screen.getByRole('button', { name: 'Chair, picture 2 of 3' })
  await userEvent.click(second)
  expect(second.getAttribute('aria-pressed')).toBe('true')
  expect(screen.getByRole('button', { name: 'Chair, picture 1 of 3' }).getAttribute('aria-pressed')).toBe('false')
  expect(complaints).not.toHaveBeenCalled()
})

test.each([
  [9, 9, false],
  [10, 10, false],
  [11, 10, true],
  [20, 10, true],
])('of %d pictures %d show first, and Show More is there: %s', async (count, first, goesOn) => {
  const images = Array.from({ length: count }, (_, index) => `/${index}`)
  render(<Gallery images={images} title="Chair" sizes="50vw" />)
  const shown = () => screen.getAllByRole('button', { name: /^Chair, picture / }).length
  expect(shown()).toBe(first)
  expect(screen.queryByRole('button', { name: 'Show More' }) !== null).toBe(goesOn)
  if (!goesOn) return
  await userEvent.click(screen.getByRole('button', { name: 'Show More' }))
  expect(shown()).toBe(count)
  await userEvent.click(screen.getByRole('button', { name: 'Show Less' }))
  expect(shown()).toBe(first)
})
