import { formatDateTime, formatRelative } from '../lib/time.js'
import { useValueNow } from '../lib/use-now.js'

/** "Just now", "5m ago", "3h ago", then the date; the full time on hover. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const date = new Date(at)
  const text = useValueNow(now => formatRelative(date, now))
  return (
    <time dateTime={at} title={formatDateTime(date)} className={className}>
      {text}
    </time>
  )
}
