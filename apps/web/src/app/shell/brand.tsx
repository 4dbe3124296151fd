/** The mark: a line that is held in its middle. */
export function BrandMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden="true" className={className}>
      <path d="M1 16h9M22 16h9" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      <rect x="10" y="10" width="12" height="12" rx="3" className="fill-held-soft stroke-held" strokeWidth="2.5" />
      <circle cx="16" cy="16" r="2.25" className="fill-held" />
    </svg>
  )
}
