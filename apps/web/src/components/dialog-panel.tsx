import { X } from 'lucide-react'
import { Dialog as Primitive } from 'radix-ui'
import { type ReactNode, useRef } from 'react'

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
export function DialogPanel({ open, onOpenChange, title, description, children, actions, wide }: DialogProps) {
  const opener = useRef<Element>(null)
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=open]:animate-appear" />
        <Primitive.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          // Radix gives the focus back to its own trigger only, and these dialogs are opened from elsewhere.
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={event => {
            event.preventDefault()
            // What was asked may have taken its own button away.
            const target = opener.current?.isConnected ? opener.current : document.querySelector('main')
            if (target instanceof HTMLElement) target.focus()
          }}
          className={`fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-lg bg-surface p-5 shadow-float data-[state=open]:animate-appear sm:top-1/2 sm:right-auto sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-3rem)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:p-7 ${wide ? 'sm:max-w-3xl' : 'sm:max-w-lg'}`}
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
