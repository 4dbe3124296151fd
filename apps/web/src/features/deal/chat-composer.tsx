import { routes } from 'virtual:routes'
import type { Message } from '@holdfast/contracts/messages'
import { ConnectionError } from '@holdfast/http-client/api-error'
import { MAX_MESSAGE_LENGTH } from '@holdfast/kernel/messages'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Textarea } from '../../components/input.js'
import { request, serverWords } from '../../lib/api.js'
import { useSignedInUser } from '../../lib/current-user.js'
import { toastError } from '../../lib/toast.js'
import { refresh } from '../../lib/use-call.js'
import { useDraft } from '../../lib/use-draft.js'

interface ChatComposerProps {
  transactionId: number
  otherName: string
  onSent: (message: Message) => void
  field: RefObject<HTMLTextAreaElement | null>
}

/** The box to write in. Enter sends, Shift and Enter begin a new line; what could not be sent stays in the box. */
export function ChatComposer({ transactionId, otherName, onSent, field }: ChatComposerProps) {
  const user = useSignedInUser()
  const { value: draft, set: setDraft } = useDraft(`chat:${transactionId}`, '')
  const [sending, setSending] = useState(false)
  const content = draft.trim()

  async function send() {
    if (content === '' || sending) return
    setSending(true)
    try {
      const message = await request(routes.postMessage, {
        params: { id: String(transactionId) },
        body: { transactionId, senderId: user.id, content, isSystem: false },
      })
      setDraft('')
      onSent(message)
      void refresh(routes.getTransaction, routes.listMessages)
    } catch (error) {
      toastError('Failed to send message', messageFailure(error))
    } finally {
      setSending(false)
      field.current?.focus()
    }
  }

  return (
    <form
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void send()
      }}
      className="flex items-end gap-2 border-t border-rule p-3 sm:px-5"
    >
      <Field label={`Message to ${otherName}`} hideLabel className="grow">
        <Textarea
          ref={field}
          rows={2}
          maxLength={MAX_MESSAGE_LENGTH}
          placeholder={`Write to ${otherName}`}
          value={draft}
          onChange={event => setDraft(event.target.value)}
          onKeyDown={event => {
            if (!isSendKey(event)) return
            event.preventDefault()
            void send()
          }}
        />
      </Field>
      <Button type="submit" busy={sending} disabled={content === ''} aria-label="Send message">
        {!sending && <SendHorizontal aria-hidden="true" className="size-5" />}
        <span className="max-sm:sr-only">Send</span>
      </Button>
    </form>
  )
}

// While an input method composes a word, Enter belongs to it.
const isSendKey = (event: KeyboardEvent) => event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing

function messageFailure(error: unknown): string {
  if (error instanceof ConnectionError) return 'The server could not be reached. Your words are still in the box.'
  return serverWords(error, 'Something went wrong')
}
