const REASONS = [
  {
    title: 'Escrow Protection',
    text: 'Every payment is held for its own transaction. It goes to the seller in three ways only: the buyer accepts, the inspection ends without a dispute, or a ruling says so. Silence without a delivery never releases it.',
  },
  {
    title: 'Verified Users',
    text: 'The mark beside a name means that this identity was checked with a government photo ID and a selfie. Look for it before you trade.',
  },
  {
    title: 'Dispute Resolution',
    text: 'Disputes are mediated by people, not by a program. Filing one keeps the money held until it is settled.',
  },
] as const

export function WhyChoose() {
  return (
    <section aria-labelledby="why" className="page mt-20 sm:mt-28">
      <div className="grid gap-8 lg:grid-cols-[20rem_1fr] lg:gap-16">
        <h2 id="why" className="display text-2xl sm:text-3xl">
          Why Choose Holdfast
        </h2>
        <dl className="divide-y divide-rule border-y border-rule">
          {REASONS.map(reason => (
            <div key={reason.title} className="grid gap-1 py-5 sm:grid-cols-[13rem_1fr] sm:gap-8">
              <dt className="font-semibold">{reason.title}</dt>
              <dd className="text-ink-soft">{reason.text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}
