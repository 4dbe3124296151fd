import { type ComponentType, createElement, lazy, Suspense, useEffect, useState } from 'react'
import { whenIdle } from '../lib/when-idle.js'

/**
 * A dialog whose code is not part of the page: it is loaded when the browser has nothing else to do, or when the dialog is
 * opened, whichever is first.
 */
export function dialogOnDemand<Props extends { readonly open: boolean }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const Dialog = lazy(async () => ({ default: await load() }))
  return function DialogOnDemand(props: Props) {
    const [isWanted, setWanted] = useState(false)
    // A failure here is no news yet: the dialog loads its code again when it is opened.
    useEffect(
      () =>
        whenIdle(
          () =>
            void load().then(
              () => setWanted(true),
              () => undefined,
            ),
        ),
      [],
    )
    return (isWanted || props.open) && <Suspense>{createElement(Dialog, props)}</Suspense>
  }
}
