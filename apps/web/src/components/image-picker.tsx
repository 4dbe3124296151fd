import { ImagePlus, X } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useId, useState } from 'react'
import { classes } from '../lib/class-names.js'
import { pickFiles, type ScaledFile } from '../lib/pick-files.js'
import { toast, toastError } from '../lib/toast.js'
import { useInTurn } from '../lib/use-in-turn.js'
import { buttonClass } from './button.js'
import { Spinner } from './spinner.js'

interface ImagePickerProps {
  /** Data URLs, in the order in which they were chosen. */
  images: readonly string[]
  /** The most pictures that can be chosen. */
  max: number
  /** What the first picture is for, in words under it. */
  firstIs?: string
  onChange: (change: (images: readonly string[]) => readonly string[]) => void
}

/** Some pictures, scaled here before they are sent. */
export function ImagePicker({ images, max, firstIs, onChange }: ImagePickerProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const [remarks, setRemarks] = useState<readonly string[]>([])

  const { add, isBusy } = useInTurn<File>(async picked => {
    const { scaled, refusals } = await pickFiles(picked, images.length, max)
    onChange(before => [...before, ...scaled.map(({ image }) => image)].slice(0, max))
    const repeated = repeatedIn(scaled, images)
    for (const text of repeated) toast('Image chosen twice', text)
    for (const { title, text } of refusals) toastError(title, text)
    // Only one toast shows at a time; what is wrong with a file also stays in the form.
    setRemarks([...refusals.map(({ text }) => text), ...repeated])
  })

  const onPick = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.target.files ?? [])])
    // The same file may be picked again after it was removed.
    event.target.value = ''
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    add([...event.dataTransfer.files])
  }

  return (
    <section aria-label="Images">
      <p id={`${id}-label`} className="text-sm font-semibold">
        Images <span className="font-normal text-ink-faint">(optional)</span>
      </p>
      <p id={`${id}-hint`} className="mt-1 text-sm text-ink-soft">
        Up to {max}, under 50MB each. <span className="figures">{images.length}</span> of {max} chosen.
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button inside */}
      <div
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={classes(
          'mt-3 flex flex-wrap items-center gap-4 rounded-lg border border-dashed p-4',
          over ? 'border-ink bg-sunken' : 'border-edge',
        )}
      >
        <label
          className={buttonClass(
            'quiet',
            'md',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
          )}
        >
          {isBusy ? <Spinner /> : <ImagePlus aria-hidden="true" className="size-5" />}
          {isBusy ? 'Processing...' : 'Add Images'}
          <input
            type="file"
            accept="image/*"
            multiple
            disabled={isBusy}
            onChange={onPick}
            aria-describedby={`${id}-hint`}
            className="sr-only"
          />
        </label>
        <p className="text-sm text-ink-soft">or drop files here</p>
      </div>
      <div role="status">
        {remarks.length > 0 && (
          <ul className="mt-3 grid gap-1 text-sm font-medium text-trouble">
            {remarks.map(text => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
      {images.length > 0 && (
        <Chosen
          images={images}
          firstIs={firstIs}
          onRemove={index => {
            onChange(before => before.filter((_, at) => at !== index))
            setRemarks([])
          }}
        />
      )}
    </section>
  )
}

/** One sentence for each added picture that was chosen before. Equal files are equal after scaling, so these are compared. */
function repeatedIn(added: readonly ScaledFile[], present: readonly string[]): string[] {
  const images = [...present, ...added.map(({ image }) => image)]
  return added
    .filter(({ image }, index) => images.indexOf(image) < present.length + index)
    .map(({ name }) => `${name}: This image is chosen twice. Remove one of the two if you do not need both.`)
}

interface ChosenProps {
  images: readonly string[]
  firstIs: string | undefined
  onRemove: (index: number) => void
}

function Chosen({ images, firstIs, onRemove }: ChosenProps) {
  return (
    <ul className="mt-4 grid grid-cols-3 gap-3 sm:grid-cols-5">
      {images.map((image, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may have been chosen twice
        <li key={index} className="relative">
          <img src={image} alt="" className="aspect-3/2 w-full rounded-md border border-rule bg-sunken object-cover" />
          {index === 0 && firstIs && <span className="mt-1 block text-xs text-ink-soft">{firstIs}</span>}
          <button
            type="button"
            aria-label={`Remove image ${index + 1}`}
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
