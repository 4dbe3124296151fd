import { AlertDialog as Primitive } from 'radix-ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, type ButtonKind } from './button.js'
import { FRAME, useReturningFocus, VEIL } from './dialog-frame.js'
import { Notice } from './notice.js'

/** What is asked, and what its button does. */
interface Question {
  title: string
  /** What happens, and to whose money. */
  description: string
  children?: ReactNode
  /** The data from which `children` and `onConfirm` are made, if it can change while the dialog is open. */
  basis?: unknown
  /** The button that does it: "Refund $107.00". */
  confirm: string
  kind?: ButtonKind
  onConfirm: () => void
}

export interface AlertDialogProps extends Question {
  open: boolean
  /** Closes the question without an answer. */
  onClose: () => void
  /** The button that does nothing. */
  cancel?: string
  /** The words of the button while it is busy: "Refunding...". */
  busyWords: string
  busy: boolean
}

/**
 * The question before what cannot be undone. The focus begins on the button that does nothing, and a click beside the question does not
 * close it.
 *
 * The question stays as it was when the dialog was opened, and its button does what the question says, also when the page gets newer data.
 * When the newer data make another question, the dialog says so, and the button is disabled until the user has looked at the new question.
 */
export default function AlertDialogPanel({
  open,
  onClose,
  cancel = 'Go Back',
  busyWords,
  busy,
  ...question
}: AlertDialogProps) {
  const focus = useReturningFocus()
  return (
    <Primitive.Root open={open} onOpenChange={next => !next && !busy && onClose()}>
      <Primitive.Portal>
        <Primitive.Overlay className={VEIL} />
        <Primitive.Content {...focus} className={`${FRAME} sm:max-w-lg`}>
          <Asked now={question} cancel={cancel} busyWords={busyWords} busy={busy} />
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** It is mounted when the dialog is opened. */
function Asked({
  now,
  cancel,
  busyWords,
  busy,
}: { now: Question } & Pick<AlertDialogProps, 'cancel' | 'busyWords' | 'busy'>) {
  const [seen, see] = useState(now)
  const [isAnswered, setAnswered] = useState(false)
  useEffect(() => {
    if (!busy) setAnswered(false)
  }, [busy])
  // What changes because of the answer itself does not make the question an old one.
  const isOutdated = !isAnswered && signOf(now) !== signOf(seen)
  const answer = () => {
    setAnswered(true)
    seen.onConfirm()
  }
  return (
    <>
      <Primitive.Title className="display text-xl">{seen.title}</Primitive.Title>
      <Primitive.Description className="mt-2 text-ink-soft">{seen.description}</Primitive.Description>
      {seen.children && <div className="mt-5">{seen.children}</div>}
      {isOutdated && (
        <div className="mt-5">
          <Notice
            tone="needs"
            alert
            title="This has changed since you opened it"
            action={
              <Button kind="quiet" onClick={() => see(now)}>
                Look Again
              </Button>
            }
          >
            Nothing was done. Look at it as it is now before you decide.
          </Notice>
        </div>
      )}
      <div className="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
        <Primitive.Cancel asChild>
          <Button kind="quiet" disabled={busy}>
            {cancel}
          </Button>
        </Primitive.Cancel>
        <Button kind={seen.kind ?? 'primary'} busy={busy} disabled={isOutdated} onClick={answer}>
          {busy ? busyWords : seen.confirm}
        </Button>
      </div>
    </>
  )
}

/** Two questions with the same sign ask the same. */
const signOf = ({ title, description, confirm, basis }: Question): string =>
  JSON.stringify([title, description, confirm, basis])
