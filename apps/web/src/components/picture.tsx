import { IMAGE_PATH_PREFIX, IMAGE_WIDTHS, scaledImagePath } from '@holdfast/kernel/images'
import { ImageOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { classes } from '../lib/class-names.js'

export interface PictureProps extends Pick<ComponentProps<'img'>, 'className'> {
  /** Undefined, a build-time alias ("@assets/…") or a picture that fails to load show a placeholder instead. */
  src: string | undefined
  alt: string
  /** The width in which it is shown, as the attribute `sizes` of an image. The browser loads the width that fits. */
  sizes: string
  /** `lazy` loads it when it is nearly in view, `soon` at once, `first` before everything else on the page. */
  loading?: 'lazy' | 'soon' | 'first'
  /** Shows all of it. Otherwise it fills its shape, and what does not fit is cut off. */
  whole?: boolean
}

const LOADING = {
  lazy: { loading: 'lazy', decoding: 'async' },
  soon: { loading: 'eager', decoding: 'async' },
  first: { loading: 'eager', decoding: 'sync', fetchPriority: 'high' },
} as const
/** The proportions of the space that is kept until the picture is loaded, unless `className` sets others. */
const PROPORTIONS = { width: 3, height: 2 }

/** A picture of an item; give it a shape by `className`. */
export function Picture({ src, alt, sizes, className, loading = 'lazy', whole }: PictureProps) {
  const [failed, setFailed] = useState<{ src: string; times: number }>()
  const failures = failed && failed.src === src ? failed.times : 0
  // After the first failure the stored picture is tried.
  if (!src || src.startsWith('@') || failures > 1 || (failures > 0 && !isScalable(src))) {
    return (
      <span className={classes('grid place-items-center bg-sunken text-ink-faint', className)}>
        <ImageOff
          strokeWidth={1.5}
          className="size-8"
          {...(alt === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': `${alt} (no picture)` })}
        />
      </span>
    )
  }
  return (
    <img
      {...LOADING[loading]}
      {...PROPORTIONS}
      {...(isScalable(src) && failures === 0 ? { sizes, srcSet: srcSetOf(src) } : {})}
      src={src}
      alt={alt}
      onError={() => setFailed({ src, times: failures + 1 })}
      className={classes('bg-sunken', whole ? 'object-contain' : 'object-cover', className)}
    />
  )
}

const isScalable = (src: string): boolean => src.startsWith(IMAGE_PATH_PREFIX)

const srcSetOf = (src: string): string =>
  IMAGE_WIDTHS.map(width => `${scaledImagePath(src, width)} ${width}w`).join(', ')
