import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { toastError } from '../lib/toast.js'
import { Messages } from './messages.js'

test('a message is plain text when the code of the toaster does not come', async () => {
  const logged = jest.spyOn(console, 'error').mockReturnValue()
  const NotLoaded = () => {
    throw new TypeError('Failed to fetch dynamically imported module')
  }
  render(<Messages Toaster={NotLoaded} />)
  act(() => toastError('The payment was not sent', 'Nothing was charged.'))
  expect((await screen.findByRole('alert')).textContent).toContain('The payment was not sent Nothing was charged.')
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('alert')).toBeNull()
  logged.mockRestore()
})
