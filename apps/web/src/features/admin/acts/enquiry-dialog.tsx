import { adminRoutes } from 'virtual:admin-routes'
import type { Enquiry } from '@holdfast/contracts/enquiries'
import { MAX_ENQUIRY_MESSAGE_LENGTH } from '@holdfast/kernel/enquiries'
import { Link } from 'react-router-dom'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Facts } from '../../../components/facts.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Textarea } from '../../../components/input.js'
import { useForm } from '../../../lib/form/use-form.js'
import { paths } from '../../../lib/paths.js'
import { formatDateTime } from '../../../lib/time.js'
import { useAct } from '../use-act.js'

interface EnquiryDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  enquiry: Enquiry | null
}

export default function EnquiryDialog({ open, close, enquiry }: EnquiryDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title={enquiry ? `No. ${enquiry.number}` : 'Enquiry'} wide>
      {enquiry && <Details key={enquiry.id} enquiry={enquiry} close={close} />}
    </Dialog>
  )
}

function Details({ enquiry, close }: { enquiry: Enquiry; close: () => void }) {
  const { name, email, userId, subject, message, facts, createdAt, answer, state } = enquiry
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          { label: 'Subject', value: subject },
          { label: 'From', value: `${name}, ${email}` },
          ...(userId
            ? [
                {
                  label: 'Account',
                  value: (
                    <Link to={paths.adminUser(userId)} className="link">
                      Open the user
                    </Link>
                  ),
                },
              ]
            : []),
          ...Object.entries(facts).map(([label, value]) => ({ label, value })),
          { label: 'Received', value: formatDateTime(new Date(createdAt)) },
        ]}
      />
      <p className="typed rounded-md bg-sunken p-4">{message}</p>
      {answer && (
        <section>
          <h3 className="mb-1 font-semibold">Answered {formatDateTime(new Date(answer.at))}</h3>
          <p className="typed text-ink-soft">{answer.text}</p>
        </section>
      )}
      {state === 'open' && <AnswerForm enquiry={enquiry} close={close} />}
      {state !== 'closed' && <CloseButton enquiry={enquiry} close={close} />}
    </div>
  )
}

function AnswerForm({ enquiry: { id, email }, close }: { enquiry: Enquiry; close: () => void }) {
  const form = useForm({
    initial: { text: '' },
    validate: ({ text }) => ({ text: text.trim() === '' ? 'Write the answer' : undefined }),
    asksToLeave: true,
  })
  const { send, busy } = useAct(adminRoutes.answerEnquiry, {
    whether: 'the answer was mailed',
    done: ({ number }) => [`No. ${number} is answered`, `The answer is mailed to ${email}.`],
    onDone: close,
  })
  return (
    <Form form={form} onSubmit={body => send({ params: { id }, body })} className="grid gap-4">
      <Field label="Answer" hint={`It is mailed to ${email}, with what they wrote below it.`} {...form.field('text')}>
        <Textarea rows={5} maxLength={MAX_ENQUIRY_MESSAGE_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-end">
        {busy ? 'Sending...' : 'Send Answer'}
      </Button>
    </Form>
  )
}

function CloseButton({ enquiry: { id, answer }, close }: { enquiry: Enquiry; close: () => void }) {
  const { send, busy } = useAct(adminRoutes.closeEnquiry, {
    whether: 'it was closed',
    done: ({ number }) => [`No. ${number} is closed`],
    onDone: close,
  })
  return (
    <Button kind="quiet" busy={busy} onClick={() => void send({ params: { id } })} className="justify-self-end">
      {answer ? 'Mark as Closed' : 'Close without an Answer'}
    </Button>
  )
}
