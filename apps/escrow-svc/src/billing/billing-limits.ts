import {
  BILLING_CHANGES_OF_A_USER,
  CARD_LISTS_OF_A_USER,
  CARD_SETUPS_OF_A_USER,
  SUBSCRIPTIONS_OF_A_USER,
} from '@holdfast/kernel/subscriptions'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** How often a user may cause calls to the provider: all users share its limit of requests. */
@Injectable()
export class BillingLimits {
  /** Beginning Premium. */
  readonly subscriptions: Attempts
  /** Beginning to save a card. */
  readonly cardSetups: Attempts
  /** Cancelling and resuming Premium, choosing the default card, and removing a card. */
  readonly changes: Attempts
  /** Looking at the saved cards. */
  readonly cardLists: Attempts

  constructor(@InjectDataSource() dataSource: DataSource) {
    this.subscriptions = new Attempts(dataSource, 'subscriptions-of-user', SUBSCRIPTIONS_OF_A_USER)
    this.cardSetups = new Attempts(dataSource, 'card-setups-of-user', CARD_SETUPS_OF_A_USER)
    this.changes = new Attempts(dataSource, 'billing-changes-of-user', BILLING_CHANGES_OF_A_USER)
    this.cardLists = new Attempts(dataSource, 'card-lists-of-user', CARD_LISTS_OF_A_USER)
  }
}
