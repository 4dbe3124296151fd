import { adminRoutes } from 'virtual:admin-routes'
import { render, waitFor } from '@testing-library/react'
import { SWRConfig } from 'swr'
import { fakeServer } from '../../test/fake-server.js'
import { useCall } from './use-call.js'

const FIVE_MINUTES = 300_000

function StuckCases() {
  useCall(adminRoutes.listStuck, {}, { refreshInterval: 600 })
  return null
}

test('a call with a refresh interval is repeated, although answers count as fresh for minutes', async () => {
  let asked = 0
  fakeServer({
    'GET /api/admin/stuck': () => {
      asked++
      return { body: [] }
    },
  })
  render(
    <SWRConfig value={{ dedupingInterval: FIVE_MINUTES }}>
      <StuckCases />
    </SWRConfig>,
  )
  await waitFor(() => expect(asked).toBe(2))
})
