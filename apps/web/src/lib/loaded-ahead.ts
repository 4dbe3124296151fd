import { type ComponentType, createElement, lazy, useState } from 'react'

type LoadedAhead<Props> = ComponentType<Props> & {
  /** Loads the code. Rejects when it cannot be loaded. */
  readonly load: () => Promise<void>
}

/**
 * A component whose code is loaded when it is first shown, or before that by its `load`. When React shows a component whose
 * code is still loading, it shows what stands in for it for at least 0.3 s.
 */
export function loadedAhead<Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LoadedAhead<Props> {
  const Lazy = lazy(load)
  let Loaded: ComponentType<Props> | undefined
  const Component = (props: Props) => {
    // It stays the same while it is shown: another component would begin with an empty state.
    const [Shown] = useState(() => Loaded ?? Lazy)
    return createElement(Shown as ComponentType<Props>, props)
  }
  return Object.assign(Component, {
    load: async () => {
      Loaded = (await load()).default
    },
  })
}
