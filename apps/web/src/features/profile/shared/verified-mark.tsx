import { BadgeCheck } from 'lucide-react'

/** Says that this person's identity was checked. */
export function VerifiedMark({ label = 'Verified' }: { label?: string }) {
  return (
    <span className="inline-flex items-center gap-1 text-sm font-semibold text-ink">
      <BadgeCheck aria-hidden="true" className="size-4" />
      {label}
    </span>
  )
}
