import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { Tabs } from './tabs.js'

const TABS = ['one', 'two', 'three'].map(value => ({ value, label: `Tab ${value}`, content: `Content ${value}` }))

function Example() {
  const [value, setValue] = useState('one')
  return <Tabs label="Numbers" tabs={TABS} value={value} onChange={setValue} />
}

test('one tab is chosen, and it names the panel that is shown', async () => {
  const user = userEvent.setup()
  render(<Example />)
  await user.click(screen.getByRole('tab', { name: 'Tab two' }))
  expect(screen.getAllByRole('tab').map(tab => tab.getAttribute('aria-selected'))).toEqual(['false', 'true', 'false'])
  expect(screen.getByRole('tabpanel', { name: 'Tab two' }).textContent).toBe('Content two')
  expect(screen.queryByText('Content one')).toBeNull()
})

test('the Tab key reaches only the chosen tab; arrows, Home and End choose another one and move the focus to it', async () => {
  const user = userEvent.setup()
  render(<Example />)
  await user.tab()
  for (const [key, name] of [
    ['{ArrowRight}', 'Tab two'],
    ['{End}', 'Tab three'],
    ['{ArrowRight}', 'Tab one'],
    ['{ArrowLeft}', 'Tab three'],
    ['{Home}', 'Tab one'],
  ] as const) {
    await user.keyboard(key)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('tab', { name, selected: true })))
  }
  await user.tab()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('tabpanel', { name: 'Tab one' })))
})

test('a chosen tab that the narrow row cuts off is scrolled into view', async () => {
  const tabWidth = 80
  // jsdom lays nothing out: three tabs beside each other in a row that is narrower.
  const rects = jest.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    if (this.getAttribute('role') !== 'tab') return new DOMRect(0, 0, 200, 44)
    const row = this.parentElement!
    return new DOMRect([...row.children].indexOf(this) * tabWidth - row.scrollLeft, 0, tabWidth, 44)
  })
  try {
    render(<Example />)
    await userEvent.click(screen.getByRole('tab', { name: 'Tab three' }))
    expect(screen.getByRole('tablist').scrollLeft).toBe(40)
    await userEvent.click(screen.getByRole('tab', { name: 'Tab one' }))
    expect(screen.getByRole('tablist').scrollLeft).toBe(0)
  } finally {
    rects.mockRestore()
  }
})
