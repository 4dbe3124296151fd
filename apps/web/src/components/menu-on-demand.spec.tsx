import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { show } from '../../test/show.js'
import { type MenuTrigger, menuOnDemand } from './menu-on-demand.js'

const Fruit = menuOnDemand(async () => {
  const { Menu, MenuLink } = await import('./menu.js')
  const List = ({ trigger }: MenuTrigger) => (
    <Menu label="Fruit" trigger={trigger}>
      <MenuLink to="/apple">Apple</MenuLink>
      <MenuLink to="/pear">Pear</MenuLink>
    </Menu>
  )
  return { default: List }
})

const button = () => screen.getByRole('button', { name: 'Choose' })
const showFruit = () => show(<Fruit trigger={<button type="button">Choose</button>} />)

test('the button says that it opens a menu before the list is loaded', () => {
  showFruit()
  expect([button().getAttribute('aria-haspopup'), button().getAttribute('aria-expanded')]).toEqual(['menu', 'false'])
})

test('a click opens the list, Escape closes it and gives the focus back, and another click opens it again', async () => {
  showFruit()
  await userEvent.click(button())
  expect(await screen.findByRole('menuitem', { name: 'Apple' })).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menuitem')).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(button()))
  await userEvent.click(button())
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Pear' }))
  expect(await screen.findByText('At /pear')).toBeTruthy()
})

test('the arrow key opens the list and moves the focus into it', async () => {
  showFruit()
  button().focus()
  await userEvent.keyboard('{ArrowDown}')
  const list = await screen.findByRole('menu')
  expect(list.contains(document.activeElement)).toBe(true)
})

test('a list whose code does not come leaves the page as it is, and another click loads it again', async () => {
  const logged = jest.spyOn(console, 'error').mockReturnValue()
  let isOffline = true
  const Nuts = menuOnDemand(async () => {
    if (isOffline) throw new TypeError('Failed to fetch dynamically imported module')
    const { Menu, MenuLink } = await import('./menu.js')
    const List = ({ trigger }: MenuTrigger) => (
      <Menu label="Nuts" trigger={trigger}>
        <MenuLink to="/hazel">Hazel</MenuLink>
      </Menu>
    )
    return { default: List }
  })
  show(<Nuts trigger={<button type="button">Choose</button>} />)
  await userEvent.click(button())
  expect(await screen.findByText('The menu could not be loaded')).toBeTruthy()
  expect(logged).toHaveBeenCalledTimes(1)
  logged.mockRestore()
  isOffline = false
  await userEvent.click(button())
  expect(await screen.findByRole('menuitem', { name: 'Hazel' })).toBeTruthy()
})
