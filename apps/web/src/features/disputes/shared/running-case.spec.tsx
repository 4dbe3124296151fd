import { screen } from '@testing-library/react'
import { listed } from '../../../../test/disputes.js'
import { fakeServer } from '../../../../test/fake-server.js'
import { anaSignedIn } from '../../../../test/people.js'
import { show } from '../../../../test/show.js'
import { transaction } from '../../../../test/transactions.js'
import { Protected } from '../../../app/protected.js'
import RunningCase from './running-case.js'

function open(waitsForBank: boolean) {
  fakeServer({
    'GET /api/auth/user': () => ({ body: anaSignedIn }),
    [`GET /api/disputes/user/${anaSignedIn.id}`]: () => ({ body: [listed()] }),
  })
  show(
    <Protected>
      <RunningCase deal={transaction({ id: 1, viewerRole: 'seller', waitsForBank })} />
    </Protected>,
  )
}

test('a seller who is to answer reads on the deal that it is their turn, and opens the case from there', async () => {
  open(false)
  expect(await screen.findByText(/^Your turn: answer by /)).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open the case' }).getAttribute('href')).toBe('/disputes/5')
})

test('while the buyer’s bank decides it is no party’s turn', async () => {
  open(true)
  expect(await screen.findByRole('link', { name: 'Open the case' })).toBeTruthy()
  expect(screen.queryByText(/Your turn/)).toBeNull()
})
