import { routes } from 'virtual:routes'
import {
  VERIFICATION_BOXES,
  VERIFICATION_IMAGE_QUALITY,
  VERIFICATION_PICTURES,
  type VerificationPicture,
} from '@holdfast/kernel/users'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { UPLOAD_TIMEOUT_MS } from '../../lib/api.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { refreshCurrentUser } from '../../lib/current-user.js'
import { refusalOfFile, scaleImage, UnreadableImage } from '../../lib/scale-image.js'
import { toastError } from '../../lib/toast.js'
import { useUnsavedChanges } from '../../lib/unsaved-changes.js'
import { useCommand } from '../../lib/use-command.js'
import { DocumentInput } from './document-input.js'

const INPUTS = {
  idFrontImage: { label: 'Front of ID *', camera: 'environment' },
  idBackImage: { label: 'Back of ID *', camera: 'environment' },
  selfieImage: { label: 'Selfie Photo *', camera: 'user' },
} as const satisfies Record<VerificationPicture, object>

/** Refusals about which the server knows more than the form. */
const SERVER_KNOWS = new Set(['CONFLICT', 'RATE_LIMITED'])

type PerPicture<T> = Readonly<Partial<Record<VerificationPicture, T>>>

/** The three pictures of a verification. They are scaled here before they are sent. */
export function VerificationForm() {
  const [files, setFiles] = useState<PerPicture<File>>({})
  const [faults, setFaults] = useState<PerPicture<string>>({})
  const [scaling, setScaling] = useState(false)
  const submit = useCommand(routes.submitVerification, {
    whether: 'your documents were submitted',
    done: () => [
      'Verification Submitted',
      'Your documents have been submitted for review. You will be notified once verified.',
    ],
    refused: error => [
      'Submission Failed',
      SERVER_KNOWS.has(error.code)
        ? error.serverMessage
        : 'There was an error submitting your verification. Please try again.',
    ],
    refresh: refreshCurrentUser,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  const busy = scaling || submit.busy
  useUnsavedChanges(!busy && VERIFICATION_PICTURES.some(name => files[name]))
  const isComplete = VERIFICATION_PICTURES.every(name => files[name])

  function choose(name: VerificationPicture, file: File) {
    const refusal = refusalOfFile(file)
    setFaults({ ...faults, [name]: refusal ? `${file.name}: ${refusal}` : undefined })
    setFiles({ ...files, [name]: refusal ? undefined : file })
    if (refusal) toastError('Invalid file', `${file.name}: ${refusal}`)
  }

  async function send(event: FormEvent) {
    event.preventDefault()
    const { idFrontImage, idBackImage, selfieImage } = files
    if (!idFrontImage || !idBackImage || !selfieImage)
      return toastError('Missing Documents', 'Please upload all required documents before submitting.')
    setScaling(true)
    const body = await scaleAll({ idFrontImage, idBackImage, selfieImage }, setFaults).finally(() => setScaling(false))
    if (body) setFaults(refusedFields(await submit.give({ body })) ?? {})
  }

  return (
    <form onSubmit={event => void send(event)} className="grid gap-6">
      {VERIFICATION_PICTURES.map(name => (
        <DocumentInput
          key={name}
          {...INPUTS[name]}
          file={files[name]}
          fault={faults[name]}
          disabled={busy}
          onChoose={file => choose(name, file)}
        />
      ))}
      <Button type="submit" busy={busy} disabled={!isComplete} className="justify-self-start">
        {busy ? 'Processing...' : 'Submit for Verification'}
      </Button>
    </form>
  )
}

/**
 * Scales the pictures one after the other, because three large photographs at once can exhaust a phone's memory. When one cannot be read,
 * it says so and answers null.
 */
async function scaleAll(
  files: Readonly<Record<VerificationPicture, File>>,
  setFaults: (faults: PerPicture<string>) => void,
): Promise<Record<VerificationPicture, string> | null> {
  const scaled: Partial<Record<VerificationPicture, string>> = {}
  for (const name of VERIFICATION_PICTURES) {
    try {
      scaled[name] = (await scaleImage(files[name], VERIFICATION_BOXES[name], VERIFICATION_IMAGE_QUALITY)).dataUrl
    } catch (error) {
      if (error instanceof UnreadableImage) setFaults({ [name]: `${files[name].name}: ${error.message}` })
      else console.error('scaling a document failed', error)
      toastError('Processing Error', 'Error processing images. Please try again.')
      return null
    }
  }
  return scaled as Record<VerificationPicture, string>
}
