import { adminRoutes } from 'virtual:admin-routes'
import type { Output } from '@holdfast/contracts/route'
import type { VerificationCase, verificationAdminRoutes } from '@holdfast/contracts/verification'
import { MAX_ADMIN_REASON_LENGTH } from '@holdfast/kernel/admin'
import { VERIFICATION_PICTURES, type VerificationDecision } from '@holdfast/kernel/users'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '../../../components/button.js'
import { Dialog } from '../../../components/dialog.js'
import { Facts } from '../../../components/facts.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Textarea } from '../../../components/input.js'
import { Notice } from '../../../components/notice.js'
import { Segmented } from '../../../components/segmented.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { fullName, useSignedInUser } from '../../../lib/current-user.js'
import { useForm } from '../../../lib/form/use-form.js'
import { paths } from '../../../lib/paths.js'
import { formatDateTime } from '../../../lib/time.js'
import { refresh } from '../../../lib/use-call.js'
import { useCommand } from '../../../lib/use-command.js'
import { ActForm } from '../shared/act-form.js'
import { useAct } from '../use-act.js'

type Documents = Output<typeof verificationAdminRoutes.lookAtVerification>

const PICTURE_LABELS = { idFrontImage: 'Front of ID', idBackImage: 'Back of ID', selfieImage: 'Selfie' } as const

interface VerificationDialogProps {
  open: boolean
  close: () => void
  /** Null while none is open. */
  waiting: VerificationCase | null
}

export default function VerificationDialog({ open, close, waiting }: VerificationDialogProps) {
  return (
    <Dialog open={open} onOpenChange={close} title="Verification" wide>
      {waiting && <Review key={waiting.submissionId} waiting={waiting} close={close} />}
    </Dialog>
  )
}

/** First the documents, which are shown for a reason that is kept, and then the decision. */
function Review({ waiting, close }: { waiting: VerificationCase; close: () => void }) {
  const isSelf = useSignedInUser().id === waiting.userId
  const look = useCommand(adminRoutes.lookAtVerification, {
    whether: 'the look was kept',
    done: () => null,
    refused: error => (Object.keys(error.fields).length > 0 ? null : ['Not shown', error.serverMessage]),
    refresh: () => refresh(adminRoutes.listAudit),
  })
  const documents = look.outcome?.kind === 'done' ? look.outcome.answer : null
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          {
            label: 'User',
            value: (
              <Link to={paths.adminUser(waiting.userId)} className="link">
                @{waiting.username}
              </Link>
            ),
          },
          { label: 'Name', value: fullName(waiting) },
          { label: 'E-mail', value: waiting.email },
          { label: 'Submitted', value: formatDateTime(new Date(waiting.submittedAt)) },
        ]}
      />
      {isSelf ? (
        <Notice title="These are your own documents">Another admin must review them.</Notice>
      ) : documents ? (
        <>
          <Pictures documents={documents} />
          <Decision userId={documents.userId} submissionId={documents.submissionId} onDone={close} />
        </>
      ) : (
        <LookForm
          busy={look.busy}
          send={async reason =>
            refusedFields(await look.give({ params: { userId: waiting.userId }, body: { reason } }))
          }
        />
      )}
    </div>
  )
}

interface LookFormProps {
  busy: boolean
  send: (reason: string) => Promise<Readonly<Record<string, string>> | undefined>
}

function LookForm({ busy, send }: LookFormProps) {
  const form = useForm({
    initial: { reason: 'Review of the submission' },
    validate: ({ reason }) => ({ reason: reason.trim() === '' ? 'Say why: it is kept with the look.' : undefined }),
  })
  return (
    <Form form={form} onSubmit={({ reason }) => send(reason)} className="grid gap-4">
      <Field
        label="Why you look"
        hint="The documents are private. The audit log keeps who looked at them, and why."
        {...form.field('reason')}
      >
        <Textarea rows={2} maxLength={MAX_ADMIN_REASON_LENGTH} />
      </Field>
      <Button type="submit" busy={busy} className="justify-self-end">
        {busy ? 'One moment...' : 'Show Documents'}
      </Button>
    </Form>
  )
}

function Pictures({ documents: { pictures } }: { documents: Documents }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {VERIFICATION_PICTURES.map(name => (
        <figure key={name}>
          <img
            src={pictures[name]}
            alt={PICTURE_LABELS[name]}
            className="max-h-96 w-full rounded-md border border-rule bg-sunken object-contain"
          />
          <figcaption className="mt-1 text-sm text-ink-soft">{PICTURE_LABELS[name]}</figcaption>
        </figure>
      ))}
    </div>
  )
}

const DECISIONS = [
  { value: 'approved', label: 'Approve' },
  { value: 'rejected', label: 'Reject' },
] as const

const WORDS = {
  approved: {
    afterwards: 'Verified: their balance can be paid out, and everybody sees the mark.',
    label: 'Approve',
    hint: 'It is kept in the audit log. The user does not see it.',
  },
  rejected: {
    afterwards: 'Rejected: they read the reason, and can send new documents.',
    label: 'Reject',
    hint: 'The user reads it. Say what is wrong and what to send instead. It is also kept in the audit log.',
  },
} as const satisfies Record<VerificationDecision, object>

interface DecisionProps {
  userId: string
  /** The submission that was seen. Left out where its documents were not shown, such as when they cannot be opened. */
  submissionId?: string
  onDone: () => void
}

/** The decision about documents that wait. */
export function Decision({ userId, submissionId, onDone }: DecisionProps) {
  const [decision, choose] = useState<VerificationDecision>('approved')
  const { send, busy } = useAct(adminRoutes.decideVerification, {
    whether: 'the decision was taken',
    done: ({ verificationStatus, username }) =>
      verificationStatus === 'approved'
        ? [`@${username} is verified`, 'They can be paid out now.']
        : [`The documents of @${username} are rejected`, 'They can send new ones.'],
    onDone,
  })
  const words = WORDS[decision]
  return (
    <section className="grid gap-4">
      <Segmented legend="Decision" options={DECISIONS} value={decision} onChange={choose} />
      <ActForm
        key={decision}
        now="Under review: nothing is paid out to them."
        then={words.afterwards}
        label={words.label}
        hint={words.hint}
        takesAway={decision === 'rejected'}
        busy={busy}
        send={reason => send({ params: { userId }, body: { decision, reason, ...(submissionId && { submissionId }) } })}
      />
    </section>
  )
}
