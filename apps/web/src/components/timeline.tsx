import type { ReactNode } from 'react'
import { formatDateTime } from '../lib/time.js'

interface TimelineProps {
  /** In the order in which they are shown. `by` says who did it: "by you". */
  entries: readonly {
    readonly id: string
    readonly text: string
    readonly at: string
    readonly by: string
    readonly note?: ReactNode
  }[]
}

/** What happened: one entry each, with its time and who did it. */
export function Timeline({ entries }: TimelineProps) {
  return (
    <ol className="border-l border-edge">
      {entries.map(({ id, text, at, by, note }) => (
        <li key={id} className="relative pb-5 pl-6 last:pb-0">
          <span aria-hidden="true" className="absolute top-2 -left-[4.5px] size-2 rounded-full bg-ink" />
          <p className="font-medium">{text}</p>
          <p className="text-sm text-ink-soft">
            <time dateTime={at} className="figures">
              {formatDateTime(new Date(at))}
            </time>
            , {by}
          </p>
          {note && <p className="text-sm text-ink-soft">{note}</p>}
        </li>
      ))}
    </ol>
  )
}
