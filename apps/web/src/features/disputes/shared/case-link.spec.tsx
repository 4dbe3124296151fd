import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { cleanup, screen } from '@testing-library/react'
import { listed } from '../../../../test/disputes.js'
import { fakeServer } from '../../../../test/fake-server.js'
import { anaSignedIn } from '../../../../test/people.js'
import { forgetAnswers, show } from '../../../../test/show.js'
import { transaction } from '../../../../test/transactions.js'
import { Protected } from '../../../app/protected.js'
import { RunningCase } from './case-link.js'

beforeEach(forgetAnswers)
afterEach(cleanup)

test('a seller who is to answer reads on the deal that it is their turn, and opens the case from there', async () => {
  fakeServer({
    'GET /api/auth/user': () => ({ body: anaSignedIn }),
    [`GET /api/disputes/user/${anaSignedIn.id}`]: () => ({ body: [listed()] }),
  })
  show(
    <Protected>
      <RunningCase deal={transaction({ id: 1 })} />
    </Protected>,
  )
  expect(await screen.findByText('Your turn')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Open the case' }).getAttribute('href')).toBe('/disputes/5')
})
