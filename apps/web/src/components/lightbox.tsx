import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Picture } from './picture.js'

export interface ShownPicture {
  readonly url: string
  /** Says which picture it is, also to those who do not see it. */
  readonly caption: string
}

interface LightboxProps {
  /** All pictures of the page, in their order. */
  pictures: readonly ShownPicture[]
  /** Index of the picture that is shown large; null for none. */
  shown: number | null
  onShow: (index: number | null) => void
}

const SIZES = '(min-width: 48rem) 45rem, 100vw'

/** One picture large, over the page. The arrow keys lead to the others, around both ends. */
export function Lightbox({ pictures, shown, onShow }: LightboxProps) {
  const picture = shown === null ? undefined : pictures[shown]
  const move = (by: number) => {
    if (shown !== null) onShow((shown + by + pictures.length) % pictures.length)
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const by = MOVES[event.key]
    if (by !== undefined) move(by)
  })
  const isOpen = picture !== undefined
  useEffect(() => {
    if (!isOpen) return
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOpen])
  return (
    <Dialog
      open={isOpen}
      onOpenChange={open => !open && onShow(null)}
      title={`Picture ${(shown ?? 0) + 1} of ${pictures.length}`}
      description={picture?.caption}
      wide
    >
      {picture && (
        <div className="grid gap-4">
          <Picture
            key={picture.url}
            src={picture.url}
            alt={picture.caption}
            sizes={SIZES}
            loading="soon"
            whole
            className="h-[60dvh] w-full rounded-md"
          />
          {pictures.length > 1 && (
            <div className="flex justify-between gap-3">
              <Button kind="quiet" onClick={() => move(-1)}>
                <ChevronLeft aria-hidden="true" className="size-4" />
                Previous
              </Button>
              <Button kind="quiet" onClick={() => move(1)}>
                Next
                <ChevronRight aria-hidden="true" className="size-4" />
              </Button>
            </div>
          )}
        </div>
      )}
    </Dialog>
  )
}

const MOVES: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
