import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { FRAME, useReturningFocus, VEIL } from './dialog-frame.js'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  /** One sentence under the title: what happens, and to whose money. */
  description?: ReactNode
  children?: ReactNode
  /** The buttons, the one that acts last. */
  actions?: ReactNode
  wide?: boolean
}

/** A question over the page. Escape, the cross and a click beside it close it; the focus returns to where it was. */
export default function DialogPanel({ open, onOpenChange, title, description, children, actions, wide }: DialogProps) {
  const focus = useReturningFocus()
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className={VEIL} />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          {...focus}
          className={`${FRAME} ${wide ? 'sm:max-w-3xl' : 'sm:max-w-lg'}`}
        >
          <Primitive.Title className="display pr-10 text-xl">{title}</Primitive.Title>
          {description && <Primitive.Description className="mt-2 text-ink-soft">{description}</Primitive.Description>}
          {children && <div className="mt-5">{children}</div>}
          {actions && <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">{actions}</div>}
          <Primitive.Close
            aria-label="Close"
            className="absolute top-3 right-3 grid size-11 place-items-center rounded-md text-ink-soft hover:bg-sunken hover:text-ink"
          >
            <X aria-hidden="true" className="size-5" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
