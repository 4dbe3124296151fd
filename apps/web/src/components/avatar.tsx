import { useState } from 'react'
import { classes } from '../lib/class-names.js'

interface AvatarProps {
  firstName: string
  lastName: string
  imageUrl?: string | null
  className?: string
}

/** A person's picture, or their initials. It stands beside their name and is hidden from screen readers. */
export function Avatar({ firstName, lastName, imageUrl, className = 'size-10 text-sm' }: AvatarProps) {
  const [failed, setFailed] = useState(false)
  const look = classes('grid shrink-0 place-items-center overflow-hidden rounded-full bg-ink text-on-ink', className)
  if (imageUrl && !failed) {
    return <img src={imageUrl} alt="" onError={() => setFailed(true)} className={classes(look, 'object-cover')} />
  }
  return (
    <span aria-hidden="true" className={classes(look, 'font-semibold')}>
      {`${firstName.charAt(0)}${lastName.charAt(0)}`.toUpperCase()}
    </span>
  )
}
