import type { ReactNode } from 'react'

interface ProseSectionProps {
  id?: string
  title: string
  children: ReactNode
}

/** A chapter of a longer text: its heading stands left where there is room, the words right. */
export function ProseSection({ id, title, children }: ProseSectionProps) {
  return (
    <section id={id} className="grid scroll-mt-6 gap-3 border-t border-rule py-8 lg:grid-cols-[16rem_1fr] lg:gap-12">
      <h2 className="display text-xl">{title}</h2>
      <div className="grid max-w-text content-start gap-4 text-ink-soft">{children}</div>
    </section>
  )
}

/** Sentences in order, or side by side. */
export function ProseList({ items, ordered }: { items: readonly string[]; ordered?: boolean }) {
  const List = ordered ? 'ol' : 'ul'
  return (
    <List className={`grid gap-2 pl-5 ${ordered ? 'list-decimal' : 'list-disc'} marker:text-ink-faint`}>
      {items.map(item => (
        <li key={item}>{item}</li>
      ))}
    </List>
  )
}
