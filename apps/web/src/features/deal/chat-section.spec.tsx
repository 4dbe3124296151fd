import type { Message } from '@holdfast/contracts/messages'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { fakeServer, type Handler, noAnswer, refusal } from '../../../test/fake-server.js'
import { later } from '../../../test/later.js'
import { message } from '../../../test/messages.js'
import { ben } from '../../../test/people.js'
import { show } from '../../../test/show.js'
import { transaction } from '../../../test/transactions.js'
import { Protected } from '../../app/protected.js'
import { refreshAfter } from '../../lib/live/changes.js'
import ChatSection from './chat-section.js'

beforeAll(() => {
  // jsdom lays nothing out, so it has nowhere to scroll to.
  Element.prototype.scrollTo = () => undefined
})
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

const written = (number: number, content: string) => message(number, { content })

type Request = Parameters<Handler>[0]

/** A chat whose messages can be changed, two on a page. */
function showChat(messages: readonly Message[], post?: Handler) {
  const chat = { messages, page: 2, fails: false }
  fakeServer({
    'GET /api/auth/user': () => ({ body: ben }),
    'GET /api/transactions/42/messages': ({ query }) => {
      if (chat.fails) noAnswer()
      const before = query.get('before')
      const end = before === null ? chat.messages.length : chat.messages.findIndex(({ id }) => id === before)
      const start = Math.max(0, end - chat.page)
      const body = chat.messages.slice(start, end)
      return {
        body,
        ...(start > 0 && { headers: { link: `</api/transactions/42/messages?before=${body[0]?.id}>; rel="next"` } }),
      }
    },
    ...(post && {
      'POST /api/transactions/42/messages': async request => {
        const answer = await post(request)
        if (answer.status === 201) chat.messages = [...chat.messages, answer.body as Message]
        return answer
      },
    }),
  })
  show(
    <Protected>
      <ChatSection deal={transaction()} />
    </Protected>,
    '/transaction/42',
    '/transaction/:id',
  )
  return chat
}

const contentOf = ({ body }: Request) => (body as { content: string }).content
const field = () => screen.findByLabelText<HTMLTextAreaElement>('Message to Ana')
const write = async (text: string) => userEvent.type(await field(), text)

describe('sending', () => {
  test('what is typed while a message is sent stays in the box', async () => {
    const { isAnswered, answer } = later()
    showChat([], async request => {
      await isAnswered
      return { status: 201, body: message(1, { content: contentOf(request), senderId: ben.id }) }
    })
    await write('first{Enter}')
    expect(await screen.findByText('Sending...')).toBeTruthy()
    await write('second')
    answer()
    await waitFor(() => expect(screen.queryByText('Sending...')).toBeNull())
    expect(screen.getByText('first')).toBeTruthy()
    expect((await field()).value).toBe('second')
  })

  test('a refused message goes back before what was typed meanwhile', async () => {
    const { isAnswered, answer } = later()
    showChat([], async () => {
      await isAnswered
      return refusal('RATE_LIMITED', 'Too many messages. Wait a minute.')
    })
    await write('first{Enter}second')
    answer()
    await waitFor(async () => expect((await field()).value).toBe('first\nsecond'))
  })

  test('a message that is answered after the page was left is not shown as unanswered when one comes back', async () => {
    const { isAnswered, answer } = later()
    let isSent = false
    const chat = showChat([], async request => {
      await isAnswered
      isSent = true
      return { status: 201, body: message(1, { content: contentOf(request), senderId: ben.id }) }
    })
    await write('first{Enter}second')
    cleanup()
    answer()
    await waitFor(() => expect(isSent).toBe(true))
    await waitFor(() => expect(Object.values(sessionStorage).join()).not.toContain('first'))
    showChat(chat.messages)
    expect(await screen.findByText('first')).toBeTruthy()
    expect(screen.queryByText(/could not tell/)).toBeNull()
    expect((await field()).value).toBe('second')
  })

  test('a message that is answered only after one came back is not shown as unanswered any longer', async () => {
    const { isAnswered, answer } = later()
    const post = async (request: Request) => {
      await isAnswered
      return { status: 201, body: message(1, { content: contentOf(request), senderId: ben.id }) }
    }
    showChat([], post)
    await write('first{Enter}')
    cleanup()
    showChat([], post)
    expect(await screen.findByText(/We could not tell whether this was sent/)).toBeTruthy()
    answer()
    await waitFor(() => expect(screen.queryByText(/could not tell/)).toBeNull())
  })

  test('a message without an answer is sent again under its own key, also after a reload', async () => {
    const warned = jest.spyOn(console, 'warn').mockImplementation(() => undefined)
    const keys: (string | null)[] = []
    const post = (request: Request) => {
      keys.push(request.headers.get('idempotency-key'))
      if (keys.length < 3) noAnswer()
      return { status: 201, body: message(1, { content: contentOf(request), senderId: ben.id }) }
    }
    showChat([], post)
    await write('hello{Enter}')
    expect(await screen.findByText(/We could not tell whether this was sent/)).toBeTruthy()
    expect(screen.getAllByText(/could not tell whether/)).toHaveLength(1)
    await write('more{Enter}')
    expect((await field()).value).toBe('more')
    await userEvent.click(screen.getByRole('button', { name: 'Send Again' }))
    await waitFor(() => expect(keys).toHaveLength(2))
    await screen.findByRole('button', { name: 'Send Again' })
    cleanup()
    showChat([], post)
    await userEvent.click(await screen.findByRole('button', { name: 'Send Again' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Send Again' })).toBeNull())
    expect(screen.getByText('hello')).toBeTruthy()
    expect((await field()).value).toBe('more')
    expect(keys).toHaveLength(3)
    expect(new Set(keys).size).toBe(1)
    warned.mockRestore()
  })
})

describe('pictures', () => {
  const file = (name: string) => new File(['x'], name, { type: 'image/png' })
  const input = () => screen.findByLabelText<HTMLInputElement>(/^(Add|Preparing) pictures/)
  /** What stays in the form. The toast says the same. */
  const remark = (text: string) => screen.findByText(text, { selector: 'form p' })
  const imagesOf = ({ body }: Request) => (body as { images?: string[] }).images

  beforeAll(() => {
    // jsdom draws nothing.
    Object.assign(globalThis, { createImageBitmap: async () => ({ width: 30, height: 20, close: () => undefined }) })
    HTMLCanvasElement.prototype.getContext = (() => ({
      fillRect: () => undefined,
      drawImage: () => undefined,
    })) as never
    HTMLCanvasElement.prototype.toDataURL = () => 'data:image/jpeg;base64,AAAA'
  })

  test('are shown before they are sent, go without words, and can be enlarged afterwards', async () => {
    const sent: (string[] | undefined)[] = []
    const url = '/api/transactions/42/messages/1/images/0'
    showChat([written(1, 'one')], request => {
      sent.push(imagesOf(request))
      return { status: 201, body: message(2, { content: '', senderId: ben.id, images: [{ url }] }) }
    })
    await userEvent.upload(await input(), [file('a.png'), file('b.png')])
    const chosen = await screen.findByRole('list', { name: 'Pictures to send' })
    expect(chosen.children).toHaveLength(2)
    await userEvent.click(screen.getByRole('button', { name: 'Remove picture 2' }))
    await userEvent.click(screen.getByRole('button', { name: /Send/ }))
    const enlarge = await screen.findByRole('button', { name: 'Enlarge picture 1 of 1 from You' })
    expect(sent).toEqual([['data:image/jpeg;base64,AAAA']])
    expect(screen.queryByRole('list', { name: 'Pictures to send' })).toBeNull()
    await userEvent.click(enlarge)
    const dialog = await screen.findByRole('dialog', { name: 'Picture 1 of 1' })
    expect(dialog.querySelector('img')?.getAttribute('src')).toBe(url)
    expect(dialog.querySelector('img')?.alt).toMatch(/^You, /)
  })

  test('over the limit of a message are left out, and what is no picture is named', async () => {
    showChat([])
    await userEvent.upload(await input(), ['1.png', '2.png', '3.png', '4.png', '5.png'].map(file))
    expect((await screen.findByRole('list', { name: 'Pictures to send' })).children).toHaveLength(4)
    expect((await input()).disabled).toBe(true)
    expect(await remark('You can only add 4 more images (4 total maximum). Left out: 5.png')).toBeTruthy()
  })

  test('a pasted file over the limit is named, too', async () => {
    showChat([])
    await userEvent.upload(await input(), ['1.png', '2.png', '3.png', '4.png'].map(file))
    await screen.findByRole('list', { name: 'Pictures to send' })
    fireEvent.paste(await field(), { clipboardData: { files: [file('5.png')] } })
    expect(await remark('You can only add 0 more images (4 total maximum). Left out: 5.png')).toBeTruthy()
  })

  test('that the server refuses go back into the box with their words, and the refusal names the picture', async () => {
    showChat([], () =>
      refusal('IMAGE_INVALID', 'File must be an image', {
        fields: { 'images.0': 'At most 40 megapixels' },
      }),
    )
    await userEvent.upload(await input(), [file('a.png')])
    await screen.findByRole('list', { name: 'Pictures to send' })
    await write('the crack{Enter}')
    expect(await screen.findByText('Picture 1: At most 40 megapixels')).toBeTruthy()
    expect((await field()).value).toBe('the crack')
    expect(screen.getByRole('list', { name: 'Pictures to send' }).children).toHaveLength(1)
  })
})

describe('reading', () => {
  test('an unreachable server is reported without a word about money', async () => {
    const chat = showChat([written(1, 'one')])
    await screen.findByText('one')
    chat.fails = true
    await act(() => refreshAfter({ kind: 'message', transactionId: 42 }))
    expect(await screen.findByText('The server could not be reached.')).toBeTruthy()
    expect(screen.getByText('one')).toBeTruthy()
  })

  test('the chat goes back to its first message', async () => {
    showChat([written(1, 'one'), written(2, 'two'), written(3, 'three'), written(4, 'four'), written(5, 'five')])
    const earlier = () => screen.findByRole('button', { name: 'Show earlier messages' })
    await userEvent.click(await earlier())
    expect(await screen.findByText('two')).toBeTruthy()
    expect(screen.queryByText('one')).toBeNull()
    await userEvent.click(await earlier())
    expect(await screen.findByText('one')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull()
    expect(screen.getAllByText(/^(one|two|three|four|five)$/).map(({ textContent }) => textContent)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ])
  })

  test('a new message removes none of the earlier ones, and offers none again', async () => {
    const chat = showChat([written(1, 'one'), written(2, 'two'), written(3, 'three')])
    await userEvent.click(await screen.findByRole('button', { name: 'Show earlier messages' }))
    await screen.findByText('one')
    for (const number of [4, 5]) {
      chat.messages = [...chat.messages, written(number, `new ${number}`)]
      await act(() => refreshAfter({ kind: 'message', transactionId: 42 }))
      await screen.findByText(`new ${number}`)
    }
    expect(screen.getByText('one')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Show earlier messages' })).toBeNull()
  })

  test('a message that comes while one reads further up does not move the chat, and is offered by a button', async () => {
    const chat = showChat([written(1, 'one'), written(2, 'two')])
    await screen.findByText('two')
    const box = screen.getByRole('log')
    const size = { scrollHeight: 1000, clientHeight: 300, scrollTop: 100 }
    for (const [name, value] of Object.entries(size)) {
      Object.defineProperty(box, name, { value, writable: true, configurable: true })
    }
    const scrolled = jest.spyOn(box as { scrollTo: (options: ScrollToOptions) => void }, 'scrollTo')
    fireEvent.scroll(box)
    chat.page = 3
    chat.messages = [...chat.messages, written(3, 'three')]
    await act(() => refreshAfter({ kind: 'message', transactionId: 42 }))
    const button = await screen.findByRole('button', { name: 'New message' })
    expect(scrolled).not.toHaveBeenCalled()
    await userEvent.click(button)
    expect(scrolled).toHaveBeenCalledWith({ top: 1000 })
    expect(screen.queryByRole('button', { name: 'New message' })).toBeNull()
  })
})
