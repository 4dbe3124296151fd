import { FileCheck2, MessagesSquare, PackageCheck, ReceiptText, Search, Timer } from 'lucide-react'

const FEATURES = [
  {
    icon: FileCheck2,
    title: 'Terms that stand still',
    text: 'Price, condition, pictures and returns are frozen when a deal opens. A listing edited later changes nothing.',
  },
  {
    icon: Timer,
    title: 'Time to inspect',
    text: 'Up to seven days after delivery, as agreed. You see the time that is left and what happens at its end.',
  },
  {
    icon: PackageCheck,
    title: 'Delivery that counts',
    text: "The carrier's scans move the transaction along; without a carrier, the buyer's word does.",
  },
  {
    icon: MessagesSquare,
    title: 'One chat a deal',
    text: 'Questions, answers and agreements stay with the transaction, where a mediator can read them if it comes to that.',
  },
  {
    icon: ReceiptText,
    title: 'Every cent on record',
    text: 'Charge, hold, release, refund: each posting of your transaction is yours to read.',
  },
  {
    icon: Search,
    title: 'Deals with someone you know',
    text: 'Find the other side by name and open a private transaction, as its buyer or as its seller.',
  },
] as const

export function Features() {
  return (
    <section aria-labelledby="features" className="mt-20 border-y border-rule bg-sunken py-14 sm:mt-28 sm:py-20">
      <div className="page">
        <h2 id="features" className="display max-w-[24ch] text-2xl sm:text-3xl">
          Built around the moment before you trust
        </h2>
        <ul className="mt-9 grid gap-x-12 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
          {FEATURES.map(({ icon: Icon, title, text }) => (
            <li key={title}>
              <Icon aria-hidden="true" strokeWidth={1.75} className="size-6" />
              <h3 className="mt-3 font-semibold">{title}</h3>
              <p className="mt-1 text-ink-soft">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
