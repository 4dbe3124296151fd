import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer } from '../../../../test/fake-server.js'
import { anaSignedIn } from '../../../../test/people.js'
import { show } from '../../../../test/show.js'
import { UserSearch } from './user-search.js'

/** Longer than the pause after which a search is sent. */
const A_PAUSE_MS = 400

test('a search begins with the third character, and blanks around it do not count', async () => {
  const { calls } = fakeServer({
    'GET /api/auth/user': () => ({ body: anaSignedIn }),
    'GET /api/users/search': () => ({ body: [] }),
  })
  const searches = () => calls.filter(call => call.includes('search'))
  show(<UserSearch onSelect={() => undefined} />)
  const field = screen.getByRole('combobox', { name: 'Search for a user' })
  await userEvent.type(field, ' ab ')
  await act(() => new Promise(resolve => setTimeout(resolve, A_PAUSE_MS)))
  expect(searches()).toEqual([])
  await userEvent.clear(field)
  await userEvent.type(field, 'abc')
  await waitFor(() => expect(searches()).toHaveLength(1))
  expect(await screen.findByText('No users found matching "abc"')).toBeTruthy()
})
