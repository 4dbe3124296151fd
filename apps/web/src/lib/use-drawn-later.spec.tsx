import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Route, Switch } from 'wouter'
import { Link, Navigation } from './navigation.js'
import { useDrawnLater } from './use-drawn-later.js'

let drawn: string[] = []

function Deal() {
  drawn.push(useDrawnLater('whole', 'first screen'))
  return <Link to="/other">Leave</Link>
}

beforeEach(() => {
  drawn = []
  window.history.replaceState(null, '', '/deal')
  Object.assign(window, { scrollTo: jest.fn() })
  render(
    <Navigation>
      <Switch>
        <Route path="/deal" component={Deal} />
        <Route path="/other">
          <Link to="/deal">Open</Link>
        </Route>
      </Switch>
    </Navigation>,
  )
})

test('the first page, and a page that a link opened, begin with their first screen', async () => {
  expect([drawn[0], drawn.at(-1)]).toEqual(['first screen', 'whole'])
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }))
  drawn = []
  await userEvent.click(await screen.findByRole('link', { name: 'Open' }))
  expect([drawn[0], drawn.at(-1)]).toEqual(['first screen', 'whole'])
})

test('after Back the page is whole at once: the browser scrolls only as far as the page is high', async () => {
  await userEvent.click(screen.getByRole('link', { name: 'Leave' }))
  drawn = []
  act(() => window.history.back())
  await screen.findByRole('link', { name: 'Leave' })
  expect(drawn[0]).toBe('whole')
})
