import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Combobox } from './combobox.js'

const NAMES = ['Ana', 'Ben', 'Cleo']

function Names({ onSelect }: { onSelect: (name: string) => void }) {
  const [text, setText] = useState('')
  return (
    <Combobox
      label="Name"
      icon={null}
      text={text}
      onTextChange={setText}
      items={text === '' ? undefined : NAMES}
      keyOf={name => name}
      render={name => name}
      onSelect={onSelect}
    />
  )
}

async function search() {
  const onSelect = jest.fn()
  render(<Names onSelect={onSelect} />)
  const field = screen.getByRole('combobox', { name: 'Name' })
  expect(field.getAttribute('aria-expanded')).toBe('false')
  await userEvent.type(field, 'n')
  return {
    field,
    onSelect,
    active: () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent,
  }
}

test('the arrow keys move through what was found, around both ends, and Enter chooses it', async () => {
  const { field, onSelect, active } = await search()
  expect(field.getAttribute('aria-expanded')).toBe('true')
  expect(active()).toBeUndefined()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(active()).toBe('Ben')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(active()).toBe('Ana')
  await userEvent.keyboard('{ArrowUp}')
  expect(active()).toBe('Cleo')
  await waitFor(() => expect(document.activeElement).toBe(field))
  await userEvent.keyboard('{Enter}')
  expect(onSelect).toHaveBeenCalledWith('Cleo')
})

test('Escape closes the list and keeps the text; an arrow key opens it again', async () => {
  const { field, onSelect } = await search()
  await userEvent.keyboard('{Escape}')
  expect(field.getAttribute('aria-expanded')).toBe('false')
  expect((field as HTMLInputElement).value).toBe('n')
  await userEvent.keyboard('{Enter}')
  expect(onSelect).not.toHaveBeenCalled()
  await userEvent.keyboard('{ArrowDown}')
  expect(field.getAttribute('aria-expanded')).toBe('true')
})

test('a click chooses, and the number of results is announced', async () => {
  const { onSelect } = await search()
  expect(screen.getByRole('status').textContent).toBe('3 results. Use the arrow keys to choose one.')
  await userEvent.click(screen.getByRole('option', { name: 'Ben' }))
  expect(onSelect).toHaveBeenCalledWith('Ben')
})
