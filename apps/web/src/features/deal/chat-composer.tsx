import { MAX_MESSAGE_IMAGES, MAX_MESSAGE_LENGTH } from '@holdfast/kernel/messages'
import { SendHorizontal } from 'lucide-react'
import type { KeyboardEvent, RefObject } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Textarea } from '../../components/input.js'
import { AttachButton, Attachments, useAttaching } from './chat-attachments.js'
import type { Outgoing } from './use-outgoing.js'

interface ChatComposerProps {
  outgoing: Outgoing
  otherName: string
  field: RefObject<HTMLTextAreaElement | null>
}

/** The box to write in. Enter sends, Shift and Enter begin a new line. One can write on while a message is sent. */
export function ChatComposer({ outgoing, otherName, field }: ChatComposerProps) {
  const { text, setText, images, detach, unanswered, busy, refusal } = outgoing
  const attaching = useAttaching(outgoing)
  const isNothing = text.trim() === '' && images.length === 0
  const cannotSend = isNothing || attaching.isScaling || unanswered !== null
  const send = () => {
    if (cannotSend) return
    attaching.forget()
    outgoing.send()
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        send()
        field.current?.focus()
      }}
      className="border-t border-rule"
    >
      <Attachments images={images} onRemove={detach} />
      <div role="status">
        {attaching.remarks && <p className="typed px-3 pt-3 text-sm text-trouble sm:px-5">{attaching.remarks}</p>}
        {refusal && <p className="px-3 pt-3 text-sm font-medium text-trouble sm:px-5">{refusal}</p>}
      </div>
      <div className="flex items-end gap-2 p-3 sm:px-5">
        <AttachButton
          isScaling={attaching.isScaling}
          disabled={images.length >= MAX_MESSAGE_IMAGES}
          onPick={attaching.add}
        />
        <Field label={`Message to ${otherName}`} hideLabel className="grow">
          <Textarea
            ref={field}
            rows={2}
            maxLength={MAX_MESSAGE_LENGTH}
            placeholder={`Write to ${otherName}`}
            value={text}
            onChange={event => setText(event.target.value)}
            onPaste={event => {
              const files = [...event.clipboardData.files].filter(({ type }) => type.startsWith('image/'))
              if (files.length === 0) return
              event.preventDefault()
              attaching.add(files)
            }}
            onKeyDown={event => {
              if (!isSendKey(event)) return
              event.preventDefault()
              send()
            }}
          />
        </Field>
        <Button type="submit" busy={busy} disabled={cannotSend} aria-label="Send message">
          {!busy && <SendHorizontal aria-hidden="true" className="size-5" />}
          <span className="max-sm:sr-only">Send</span>
        </Button>
      </div>
    </form>
  )
}

// While an input method composes a word, Enter confirms that word.
const isSendKey = (event: KeyboardEvent) => event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
