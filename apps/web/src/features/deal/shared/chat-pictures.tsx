import type { Message } from '@holdfast/contracts/messages'
import { Picture } from '../../../components/picture.js'
import { classes } from '../../../lib/class-names.js'

const SIZES = '10rem'

interface ChatPicturesProps {
  /** Their addresses, or data URLs while they are sent. */
  urls: readonly string[]
  /** Who sent them: "Ana". */
  by: string
  mine?: boolean
  /** Shows one large. Without it they cannot be enlarged. */
  onShow?: (url: string) => void
}

/** The pictures of a message. All have the same size, so that the chat does not move when they are loaded. */
export function ChatPictures({ urls, by, mine = false, onShow }: ChatPicturesProps) {
  if (urls.length === 0) return null
  return (
    <ul className={classes('mt-1 flex flex-wrap gap-2', mine && 'justify-end')}>
      {urls.map((url, index) => {
        const name = `picture ${index + 1} of ${urls.length} from ${by}`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages never change, and the same picture may be there twice
          <li key={index}>
            {onShow ? (
              <button
                type="button"
                aria-label={`Enlarge ${name}`}
                onClick={() => onShow(url)}
                className="block cursor-zoom-in overflow-hidden rounded-md border border-rule hover:border-ink"
              >
                <Picture src={url} alt="" sizes={SIZES} className="h-24 w-36" />
              </button>
            ) : (
              <img src={url} alt={name} className="h-24 w-36 rounded-md border border-rule object-cover opacity-70" />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** What a picture is called when it is shown large. */
export const picturesOf = (
  messages: readonly Message[],
  captionOf: (message: Message) => string,
): readonly { readonly url: string; readonly caption: string }[] =>
  messages.flatMap(message => message.images.map(({ url }) => ({ url, caption: captionOf(message) })))
