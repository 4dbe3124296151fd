import { notificationsToMail } from '@holdfast/contracts/events'
import { type Page, pages } from '@holdfast/contracts/pages'
import type { MailContent } from '@holdfast/mail/mail-content'
import { ours, say, written } from '@holdfast/mail/sentence'
import type { z } from 'zod'

/** A notification as it waits to be mailed. */
export const MailedNotification = notificationsToMail.payload.shape.notifications.element.omit({ id: true })
export type MailedNotification = z.output<typeof MailedNotification>

/** The words of the mail of a notification. */
export function notificationMail(
  notification: MailedNotification,
  firstName: string,
  publicUrl: string,
): Omit<MailContent, 'to'> {
  const { type, title, message, dealTitle } = notification
  const { label, path } = actionOf(notification)
  return {
    subject:
      dealTitle === null ? say`${ours(title)}` : say`${ours(title)}: ${written(`“${dealTitle}”`, 'your transaction')}`,
    firstName,
    paragraphs:
      type === 'message'
        ? [
            say`You have a new message about “${written(dealTitle ?? message)}”.`,
            say`For your safety, mails do not repeat what is written in a chat.`,
          ]
        : // It may name the item, or say why somebody did something.
          [say`${written(message)}`],
    action: { label, url: publicUrl + path },
    reason: say`You can switch off mails like this one in your profile: ${ours(`${publicUrl}${pages.profile.path}#notifications`)}`,
  }
}

/** The address of the page that the notification is about, without its host. */
export const pathOf = (notification: MailedNotification): string => actionOf(notification).path

/** The page that the notification is about: the same to which the bell leads. */
function actionOf({ type, transactionId, disputeId }: MailedNotification): { label: string; path: string } {
  if (type === 'payout') return { label: 'View your payouts', path: `${pages.profile.path}?tab=payments` }
  if (type === 'plan') return { label: 'View your plan', path: `${pages.profile.path}?tab=payments` }
  if (disputeId !== null) return { label: 'View the dispute', path: withId(pages.dispute, disputeId) }
  if (transactionId === null) return { label: 'View your dashboard', path: pages.dashboard.path }
  const path = withId(pages.transaction, transactionId)
  return type === 'message'
    ? { label: 'Read and answer', path: `${path}#messages` }
    : { label: 'View the transaction', path }
}

const withId = (page: Page, id: number) => page.path.replace(':id', String(id))
