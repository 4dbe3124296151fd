import { type ComponentType, createElement, lazy, Suspense, useEffect, useState } from 'react'
import { loadWhenIdle } from '../lib/when-idle.js'

/**
 * A dialog whose code is not part of the page. It is loaded when the browser has nothing else to do or when the dialog is
 * opened, whichever is first.
 */
export function dialogOnDemand<Props extends { readonly open: boolean }>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  const Dialog = lazy(load)
  return function DialogOnDemand(props: Props) {
    const [isLoaded, setLoaded] = useState(false)
    useEffect(() => loadWhenIdle(load, () => setLoaded(true)), [])
    return (isLoaded || props.open) && <Suspense>{createElement(Dialog, props)}</Suspense>
  }
}
