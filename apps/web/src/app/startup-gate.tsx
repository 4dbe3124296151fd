import { type ReactNode, useEffect, useState } from 'react'
import { Spinner } from '../components/spinner.js'
import { useSession } from '../lib/current-user.js'

/** The routes render after this long even when it is still not known who is signed in (spec section 2). */
const PATIENCE_MS = 1500

/** Shows 'Loading...' while it is found out who is signed in, but never longer than a second and a half. */
export function StartupGate({ children }: { children: ReactNode }) {
  const { isLoading } = useSession()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!isLoading) setOpen(true)
  }, [isLoading])
  useEffect(() => {
    const timer = setTimeout(() => setOpen(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return open || !isLoading ? children : <StartupSpinner />
}

/** What shows before there is anything to show. */
export function StartupSpinner() {
  return (
    <div role="status" className="flex min-h-dvh items-center justify-center gap-3 text-ink-soft">
      <Spinner className="size-5" />
      Loading...
    </div>
  )
}
