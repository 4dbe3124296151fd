import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { show } from '../../test/show.js'
import { AlertDialog } from './alert-dialog.js'

/** A page whose button asks a question. The answer removes the button later, as the server's answer does. */
function Page() {
  const [asked, setAsked] = useState(false)
  const [gone, setGone] = useState(false)
  return (
    <main tabIndex={-1}>
      {!gone && (
        <button type="button" onClick={() => setAsked(true)}>
          Accept
        </button>
      )}
      <button type="button" onClick={() => setGone(true)}>
        Answer of the server
      </button>
      <AlertDialog
        open={asked}
        onClose={() => setAsked(false)}
        title="Accept?"
        description="The money is released."
        confirm="Yes"
        busyWords="..."
        busy={false}
        onConfirm={() => setAsked(false)}
      />
    </main>
  )
}

const opener = () => screen.getByRole('button', { name: 'Accept' })

async function answer() {
  show(<Page />)
  await userEvent.click(opener())
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() => expect(document.activeElement).toBe(opener()))
}
const removeOpener = () => screen.getByRole('button', { name: 'Answer of the server' }).click()

test('the focus moves to the page when the button that asked is removed after the answer', async () => {
  await answer()
  removeOpener()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getAllByRole('main').at(0)))
})

test('the focus stays where the user has moved it meanwhile', async () => {
  await answer()
  await userEvent.tab()
  const moved = document.activeElement
  removeOpener()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Accept' })).toBeNull())
  expect(document.activeElement).toBe(moved)
})
