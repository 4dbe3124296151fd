import { useState } from 'react'
import { classes } from '../lib/class-names.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Picture } from './picture.js'

/** As many pictures show before 'Show More' (spec section 9). */
const SHOWN_FIRST = 10

/** Five in a row. */
const THUMBNAIL_SIZES = '(min-width: 40rem) 8rem, 18vw'
const ENLARGED_SIZES = '(min-width: 48rem) 45rem, 100vw'

interface GalleryProps {
  images: readonly string[]
  title: string
  /** The width of the large picture, as the attribute `sizes` of an image. */
  sizes: string
}

/** The pictures of an item: one large, the others to choose from. A click on the large one enlarges it. */
export function Gallery({ images, title, sizes }: GalleryProps) {
  const [chosen, setChosen] = useState(0)
  const [enlarged, setEnlarged] = useState(false)
  const [all, setAll] = useState(false)
  const nameOf = (index: number) => (images.length > 1 ? `${title}, picture ${index + 1} of ${images.length}` : title)
  if (images.length === 0) {
    return (
      <Picture src={undefined} alt={title} sizes={sizes} className="aspect-3/2 w-full rounded-lg border border-rule" />
    )
  }
  return (
    <div className="grid gap-3">
      <button
        type="button"
        aria-label={`Enlarge ${nameOf(chosen)}`}
        onClick={() => setEnlarged(true)}
        className="cursor-zoom-in overflow-hidden rounded-lg border border-rule"
      >
        <Picture src={images[chosen]} alt="" sizes={sizes} loading="first" className="aspect-3/2 w-full" />
      </button>
      {images.length > 1 && (
        <ul className="grid grid-cols-5 gap-2 sm:gap-3">
          {images.slice(0, all ? images.length : SHOWN_FIRST).map((image, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same picture may be there twice, and the order is fixed
            <li key={index}>
              <button
                type="button"
                aria-label={nameOf(index)}
                aria-pressed={index === chosen}
                onClick={() => setChosen(index)}
                className={classes(
                  'block w-full overflow-hidden rounded-md border-2',
                  index === chosen ? 'border-ink' : 'border-transparent hover:border-edge',
                )}
              >
                <Picture src={image} alt="" sizes={THUMBNAIL_SIZES} className="aspect-3/2 w-full" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {images.length > SHOWN_FIRST && (
        <Button kind="quiet" size="sm" className="justify-self-start" onClick={() => setAll(!all)}>
          {all ? 'Show Less' : 'Show More'}
        </Button>
      )}
      <Dialog open={enlarged} onOpenChange={setEnlarged} title={title} wide>
        <Picture
          src={images[chosen]}
          alt={nameOf(chosen)}
          sizes={ENLARGED_SIZES}
          className="max-h-[70dvh] w-full rounded-md object-contain"
        />
      </Dialog>
    </div>
  )
}
