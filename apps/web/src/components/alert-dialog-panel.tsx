import { AlertDialog as Primitive } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button, type ButtonKind } from './button.js'
import { FRAME, useReturningFocus, VEIL } from './dialog-frame.js'

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
  const focus = useReturningFocus()
  return (
    <Primitive.Root open={open} onOpenChange={next => !next && !busy && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={VEIL} />
        <Primitive.Content {...focus} className={`${FRAME} sm:max-w-lg`}>
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
