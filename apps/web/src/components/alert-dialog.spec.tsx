import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
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

/** A page that asks about an amount, which changes. */
function Amounts({ onConfirm }: { onConfirm: (amount: number) => void }) {
  const [amount, setAmount] = useState(40)
  const [isAsked, setAsked] = useState(false)
  return (
    <main>
      <button type="button" onClick={() => setAsked(true)}>
        Ask
      </button>
      <button type="button" onClick={() => setAmount(1)}>
        News
      </button>
      <AlertDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        title="Accept?"
        description="The money is released."
        basis={amount}
        confirm="Yes"
        busyWords="..."
        busy={false}
        onConfirm={() => onConfirm(amount)}
      >
        <p>{amount} dollars</p>
      </AlertDialog>
    </main>
  )
}

test('a question that changes while it is open says so, and does what it asked only after another look', async () => {
  const answers: number[] = []
  show(<Amounts onConfirm={amount => answers.push(amount)} />)
  await userEvent.click(screen.getByRole('button', { name: 'Ask' }))
  const yes = await screen.findByRole('button', { name: 'Yes' })
  screen.getByText('News').click()
  expect((await screen.findByRole('alert')).textContent).toContain('This has changed since you opened it')
  expect(screen.getByText('40 dollars')).toBeTruthy()
  await userEvent.click(yes)
  expect(answers).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Look Again' }))
  expect(screen.getByText('1 dollars')).toBeTruthy()
  await userEvent.click(yes)
  expect(answers).toEqual([1])
})
