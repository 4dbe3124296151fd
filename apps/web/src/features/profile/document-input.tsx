import { Camera, Check } from 'lucide-react'
import { useId } from 'react'
import { classes } from '../../lib/class-names.js'

interface DocumentInputProps {
  label: string
  /** The camera of a phone that takes the picture: the one at its back, or the one that looks at the user. */
  camera: 'environment' | 'user'
  file: File | undefined
  /** What is wrong with the chosen picture. */
  fault: string | undefined
  disabled: boolean
  onChoose: (file: File) => void
}

/** One picture of a verification: taken with the camera of a phone, or chosen from the files of a computer. */
export function DocumentInput({ label, camera, file, fault, disabled, onChoose }: DocumentInputProps) {
  const id = useId()
  const Mark = file ? Check : Camera
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="justify-self-start text-sm font-semibold">
        {label}
      </label>
      <div
        className={classes(
          'relative flex min-h-16 items-center gap-3 rounded-lg border p-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
          file ? 'border-edge bg-surface' : 'border-dashed border-edge hover:border-ink',
          fault && 'border-trouble-edge',
        )}
      >
        <Mark aria-hidden="true" className={classes('size-5 shrink-0', file ? 'text-held' : 'text-ink-soft')} />
        <span id={`${id}-file`} className="min-w-0 [overflow-wrap:anywhere]">
          {file ? file.name : <span className="text-ink-soft">Take a photo or choose a picture</span>}
        </span>
        {file && (
          <span aria-hidden="true" className="link ml-auto shrink-0 text-sm">
            Change
          </span>
        )}
        <input
          id={id}
          type="file"
          accept="image/*"
          capture={camera}
          disabled={disabled}
          aria-invalid={fault ? true : undefined}
          aria-describedby={fault ? `${id}-file ${id}-fault` : `${id}-file`}
          onChange={event => {
            const [chosen] = event.target.files ?? []
            if (chosen) onChoose(chosen)
            // The same file may be picked again.
            event.target.value = ''
          }}
          className="absolute inset-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
        />
      </div>
      {fault && (
        <p id={`${id}-fault`} className="text-sm font-medium text-trouble">
          {fault}
        </p>
      )}
    </div>
  )
}
