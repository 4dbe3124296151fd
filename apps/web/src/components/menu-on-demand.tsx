import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  createElement,
  type KeyboardEvent,
  lazy,
  type ReactElement,
  startTransition,
  useEffect,
  useState,
} from 'react'
import { toastError } from '../lib/toast.js'
import { loadWhenIdle } from '../lib/when-idle.js'

export interface MenuTrigger {
  /** The button that opens the menu. */
  readonly trigger: ReactElement<ComponentProps<'button'>>
}

/**
 * A menu of which only the button is part of the page. The code of its list (a `Menu`) is loaded when the browser has nothing
 * else to do or when the button is pressed, whichever is first. The button is shown until the list can be shown, too.
 */
export function menuOnDemand<Props extends MenuTrigger>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const OpenedMenu = lazy(load)
  return function MenuOnDemand(props: Props) {
    const [isOpened, setOpened] = useState(false)
    useEffect(() => loadWhenIdle(load), [])
    if (isOpened) return createElement(OpenedMenu, props)
    const open = () => void load().then(() => startTransition(() => setOpened(true)), sayNotLoaded)
    return cloneElement(props.trigger, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: open,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        open()
      },
    })
  }
}

// The menus belong to what stands around every page. If this were thrown, all of the page would go with it.
function sayNotLoaded(error: unknown) {
  console.error(error)
  toastError('The menu could not be loaded', 'Check your connection and load the page again.')
}
