import { useState } from 'react'
import { classes } from '../lib/class-names.js'
import { refreshAfter } from '../lib/live/changes.js'
import { allRefreshed, useStaleSince } from '../lib/live/live-status.js'
import { formatTime } from '../lib/time.js'

/** A line over the page while no live events arrive: what is shown may be out of date, and can be asked for by hand. */
export function LiveSign() {
  const since = useStaleSince()
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    await refreshAfter({ kind: 'reset' })
    allRefreshed()
    setBusy(false)
  }
  return (
    <div role="status">
      {since && (
        <div className="border-b border-rule bg-sunken">
          <p className="page flex flex-wrap items-center gap-x-3 py-2 text-sm text-ink-soft">
            Live updates are interrupted. This page may be out of date since {formatTime(since)}.
            <button
              type="button"
              disabled={busy}
              onClick={() => void refresh()}
              className="min-h-9 font-semibold text-ink underline underline-offset-4"
            >
              {busy ? 'Refreshing...' : 'Refresh'}
            </button>
          </p>
        </div>
      )}
    </div>
  )
}

/** Beside what goes out of date first (money, a list, a chat), while no live events arrive: "As of 3:40 PM". */
export function StaleNote({ className }: { className?: string }) {
  const since = useStaleSince()
  return since && <span className={classes('text-sm text-ink-soft', className)}>As of {formatTime(since)}</span>
}
