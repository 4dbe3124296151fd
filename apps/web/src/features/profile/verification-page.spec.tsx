import type { CurrentUser } from '@holdfast/contracts/users'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, refusal } from '../../../test/fake-server.js'
import { ben } from '../../../test/people.js'
import { forgetAnswers, show } from '../../../test/show.js'
import { useSession } from '../../lib/current-user.js'
import VerificationPage from './verification-page.js'

const LABELS = ['Front of ID *', 'Back of ID *', 'Selfie Photo *']

let user: CurrentUser
let sent: unknown[]
let answer: () => ReturnType<typeof refusal> | { body: CurrentUser }
beforeEach(() => {
  user = ben
  sent = []
  answer = () => {
    user = { ...user, verificationStatus: 'submitted', verificationReason: null }
    return { body: user }
  }
  // jsdom draws nothing. A file named "broken" is none that a browser can read.
  Object.assign(globalThis, {
    createImageBitmap: async (file: File) => {
      if (file.name.startsWith('broken')) throw new Error('not a picture')
      return { width: 3000, height: 2000, close: () => undefined }
    },
  })
  HTMLCanvasElement.prototype.getContext = (() => ({ fillRect: () => undefined, drawImage: () => undefined })) as never
  HTMLCanvasElement.prototype.toDataURL = function toDataURL(this: HTMLCanvasElement) {
    return `data:image/jpeg;base64,${btoa(`${this.width}x${this.height}`)}`
  }
})

/** The router shows the page once it knows who is signed in. */
const Page = () => (useSession().user ? <VerificationPage /> : null)

async function open() {
  await forgetAnswers()
  fakeServer({
    'GET /api/auth/user': () => ({ body: user }),
    'POST /api/verification/submit': ({ body }) => {
      sent.push(body)
      return answer()
    },
  })
  show(<Page />)
  await screen.findByRole('heading', { name: 'Identity Verification' })
}
const choose = async (label: string, name = `${label[0]}.jpg`) =>
  userEvent.upload(screen.getByLabelText(label), new File(['x'], name, { type: 'image/jpeg' }))
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Submit for Verification' })

test('all three pictures are needed, are scaled, and are then under review', async () => {
  await open()
  expect(screen.getByText('Not Started')).toBeTruthy()
  for (const label of LABELS) {
    expect(button().disabled).toBe(true)
    await choose(label)
  }
  expect(screen.getByText('F.jpg')).toBeTruthy()
  await userEvent.click(button())
  expect(await screen.findByText('Verification Submitted')).toBeTruthy()
  expect(await screen.findByText(/review takes 1-2 business days, and an email follows/)).toBeTruthy()
  const [id, selfie] = ['1200x800', '800x533'].map(size => `data:image/jpeg;base64,${btoa(size)}`)
  expect(sent).toEqual([{ idFrontImage: id, idBackImage: id, selfieImage: selfie }])
  expect(screen.queryByLabelText(LABELS[0]!)).toBeNull()
})

test('a try without all pictures, one with an unreadable picture and a refused one say so and keep the pictures', async () => {
  await open()
  fireEvent.submit(button().closest('form')!)
  expect(await screen.findByText('Missing Documents')).toBeTruthy()
  for (const label of LABELS) await choose(label)
  await choose(LABELS[2]!, 'broken.jpg')
  await userEvent.click(button())
  expect(await screen.findByText('Processing Error')).toBeTruthy()
  expect(screen.getByText('broken.jpg: Failed to load image')).toBeTruthy()
  await choose(LABELS[2]!)
  answer = () => refusal('IMAGE_INVALID', undefined, { fields: { idBackImage: 'File must be an image' } })
  await userEvent.click(button())
  expect(await screen.findByText('Submission Failed')).toBeTruthy()
  expect(await screen.findByText('File must be an image')).toBeTruthy()
  answer = () => refusal('RATE_LIMITED')
  await userEvent.click(button())
  expect(await screen.findByText('Too many requests. Please wait a moment.')).toBeTruthy()
  expect(sent).toHaveLength(2)
})

test('a rejected user reads the reason and may send again, a verified one sees no form', async () => {
  user = { ...user, verificationStatus: 'rejected', verificationReason: 'The back is blurred.' }
  await open()
  expect(await screen.findByText('The back is blurred.')).toBeTruthy()
  expect(button()).toBeTruthy()
  cleanup()
  user = { ...user, verificationStatus: 'approved', verificationReason: null, isVerified: true }
  await open()
  expect(await screen.findByText('Verification Complete')).toBeTruthy()
  expect(screen.queryByLabelText(LABELS[0]!)).toBeNull()
})
