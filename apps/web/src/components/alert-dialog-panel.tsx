import { AlertDialog as Primitive } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { Button, type ButtonKind } from './button.js'

export interface AlertDialogProps {
  open: boolean
  /** Closes the question without an answer. */
  onClose: () => void
  title: string
  /** What happens, and to whose money. */
  description: ReactNode
  children?: ReactNode
  /** The button that does it, and its words while it is busy: "Refund $107.00", "Refunding...". */
  confirm: string
  busyWords: string
  kind?: ButtonKind
  busy: boolean
  onConfirm: () => void
}

/**
 * The question before what cannot be undone. The focus begins on "Go Back", and a click beside the question does not
 * close it.
 */
export function AlertDialogPanel(props: AlertDialogProps) {
  const { open, onClose, title, description, children, confirm, busyWords, kind, busy, onConfirm } = props
  const opener = useRef<Element>(null)
  return (
    <Primitive.Root open={open} onOpenChange={next => !next && !busy && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-veil data-[state=open]:animate-appear" />
        <Primitive.Content
          // Radix gives the focus back to its own trigger only, and these questions are opened from elsewhere.
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={event => {
            event.preventDefault()
            // What was asked may have taken its own button away.
            const target = opener.current?.isConnected ? opener.current : document.querySelector('main')
            if (target instanceof HTMLElement) target.focus()
          }}
          className="fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] overflow-y-auto rounded-t-lg bg-surface p-5 shadow-float data-[state=open]:animate-appear sm:top-1/2 sm:right-auto sm:bottom-auto sm:left-1/2 sm:w-[calc(100%-3rem)] sm:max-w-lg sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-lg sm:p-7"
        >
          <Primitive.Title className="display text-xl">{title}</Primitive.Title>
          <Primitive.Description className="mt-2 text-ink-soft">{description}</Primitive.Description>
          {children && <div className="mt-5">{children}</div>}
          <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
            <Primitive.Cancel asChild>
              <Button kind="quiet" disabled={busy}>
                Go Back
              </Button>
            </Primitive.Cancel>
            <Button kind={kind ?? 'primary'} busy={busy} onClick={onConfirm}>
              {busy ? busyWords : confirm}
            </Button>
          </div>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}
