import { MAX_MESSAGE_IMAGES } from '@holdfast/kernel/messages'
import { ImagePlus, X } from 'lucide-react'
import { useState } from 'react'
import { buttonClass } from '../../components/button.js'
import { Spinner } from '../../components/spinner.js'
import { useInTurn } from '../../lib/use-in-turn.js'
import type { Outgoing } from './use-outgoing.js'

/**
 * Adds picked or pasted files to the message, in the background. Its code for scaling is loaded when it is first needed. `remarks` say
 * which files were left out: only one toast shows at a time.
 */
export function useAttaching({ images, attach }: Pick<Outgoing, 'images' | 'attach'>) {
  const [remarks, setRemarks] = useState('')
  const { add, isBusy } = useInTurn<File>(async files => {
    const { pickPictures } = await import('./pick-pictures.js')
    const picked = await pickPictures(files, images.length)
    attach(picked.images)
    setRemarks(picked.remarks)
  })
  return { add, isScaling: isBusy, remarks, forget: () => setRemarks('') }
}

interface AttachButtonProps {
  isScaling: boolean
  disabled: boolean
  onPick: (files: readonly File[]) => void
}

/** Opens the choice of files. */
export function AttachButton({ isScaling, disabled, onPick }: AttachButtonProps) {
  return (
    <label
      title="Add pictures"
      className={buttonClass(
        'quiet',
        'md',
        `px-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink ${disabled ? 'opacity-50' : ''}`,
      )}
    >
      {isScaling ? <Spinner /> : <ImagePlus aria-hidden="true" className="size-5" />}
      <span className="sr-only">
        {isScaling ? 'Preparing pictures' : `Add pictures, ${MAX_MESSAGE_IMAGES} at most`}
      </span>
      <input
        type="file"
        accept="image/*"
        multiple
        disabled={disabled || isScaling}
        className="sr-only"
        onChange={event => {
          onPick([...(event.target.files ?? [])])
          // The same file may be picked again after it was removed.
          event.target.value = ''
        }}
      />
    </label>
  )
}

interface AttachmentsProps {
  images: readonly string[]
  onRemove: (index: number) => void
}

/** The pictures that go with the message, before it is sent. */
export function Attachments({ images, onRemove }: AttachmentsProps) {
  if (images.length === 0) return null
  return (
    <ul aria-label="Pictures to send" className="flex flex-wrap gap-3 px-3 pt-3 sm:px-5">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may have been chosen twice
        <li key={index} className="relative">
          <img
            src={image}
            alt={`Number ${index + 1} to send`}
            className="h-20 w-30 rounded-md border border-rule bg-sunken object-cover"
          />
          <button
            type="button"
            aria-label={`Remove picture ${index + 1}`}
            onClick={() => onRemove(index)}
            className="absolute top-1 right-1 grid size-8 place-items-center rounded-md border border-rule bg-surface hover:border-ink"
          >
            <X aria-hidden="true" className="size-4" />
          </button>
        </li>
      ))}
    </ul>
  )
}
