import { formatDateTime, formatRelative } from '../lib/time.js'
import { useNow } from '../lib/use-now.js'

/** "Just now", "5m ago", "3h ago", then the date; the full time on hover. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <time dateTime={at} title={formatDateTime(date)} className={className}>
      {formatRelative(date, now)}
    </time>
  )
}
