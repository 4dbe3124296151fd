import { ImageOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { classes } from '../lib/class-names.js'

interface PictureProps extends Omit<ComponentProps<'img'>, 'src'> {
  /** Undefined, a build-time alias ("@assets/…") or a picture that fails to load show a placeholder instead. */
  src: string | undefined
  alt: string
}

/** A picture of an item; give it a shape by `className`. */
export function Picture({ src, alt, className, ...rest }: PictureProps) {
  const [failed, setFailed] = useState<string>()
  if (!src || src.startsWith('@') || failed === src) {
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
      loading="lazy"
      decoding="async"
      {...rest}
      src={src}
      alt={alt}
      onError={() => setFailed(src)}
      className={classes('bg-sunken object-cover', className)}
    />
  )
}
