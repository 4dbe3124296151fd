/** A carrier's number, in figures of one width and unbroken where it fits, so that it can be compared and copied. */
export function TrackingNumber({ number }: { number: string }) {
  return <span className="figures text-sm sm:text-base">{number}</span>
}
