/** Who may do what with which record. Each route that names a record declares its `record`; the documentation and the tests read it. */

/** What a person is to a record. `admin` is a mediator or operator without a part in it, `self` the user whose own it is. */
const RECORD_PEOPLE = ['buyer', 'seller', 'reporter', 'admin', 'self', 'everyone'] as const
export type RecordPerson = (typeof RECORD_PEOPLE)[number]

/**
 * Every kind of record that a request can name, with the people who may know that it exists. Everybody else gets the answer for a
 * record that does not exist.
 */
export const RECORD_KINDS = {
  deal: ['buyer', 'seller'],
  /** By its tracking number. */
  parcel: ['buyer', 'seller'],
  /** The receipt of a payment. */
  payment: ['buyer'],
  /** The receipt of a payout, for whoever is paid. */
  ownPayout: ['seller'],
  dispute: ['buyer', 'seller', 'admin'],
  /** A dispute as its parties withdraw it. `reporter` is the one who filed it. */
  filing: ['reporter', 'buyer', 'seller'],
  evidenceImage: ['buyer', 'seller', 'admin'],
  messageImage: ['buyer', 'seller'],
  /** A picture of the chat, by the dispute about its deal. */
  disputeMessageImage: ['admin'],
  /** `seller` offers it. `buyer` is the person chosen or invited; for a public listing everybody else. */
  listing: ['seller', 'buyer'],
  /** Of a public listing, of a private one, or of a deal. */
  picture: ['seller', 'buyer'],
  /** By its id, for the owner of the listing. */
  invitation: ['seller', 'buyer'],
  /** By the token of its link. `buyer` is whoever holds the link. */
  invitationLink: ['seller', 'buyer'],
  /** What everyone may know of a user. */
  profile: ['everyone'],
  /** A list that the path gives a user id: one's own. */
  ownList: ['self'],
  session: ['self'],
  passkey: ['self'],
  /** By the token of its address, which can be used once. */
  dataExport: ['self'],
  /** A browser that gets the user's push messages. */
  pushBrowser: ['self'],
  /** By the provider's id of it. */
  savedCard: ['self'],
  /** An entry of the user's own list of blocked people. */
  blockedUser: ['self'],
  /** An entry of the user's own list of saved people. */
  contact: ['self'],
  /** No record of a person: one of the names of the contract. */
  signInProvider: ['everyone'],
  account: ['admin'],
  verification: ['admin'],
  enquiry: ['admin'],
  /** A deal, for an operator. */
  heldMoney: ['admin'],
  refund: ['admin'],
  payout: ['admin'],
  approval: ['admin'],
  deadLetter: ['admin'],
  /** An event of the provider that needs an operator. */
  providerEvent: ['admin'],
  ledgerAccount: ['admin'],
} as const satisfies Record<string, readonly RecordPerson[]>
export type RecordKind = keyof typeof RECORD_KINDS

/** The record that the requests of a route name, and who may send them. */
export type RecordAccess = {
  readonly [K in RecordKind]: {
    readonly kind: K
    /**
     * Who of the people who may know the record may use this route; all of them when left out. The others get 403.
     */
    readonly for?: readonly (typeof RECORD_KINDS)[K][number][]
    /** The field of the body that names the record, when the path does not. */
    readonly namedBy?: string
  }
}[RecordKind]

/** The people who may use a route on its record. */
export const peopleOf = (record: RecordAccess): readonly RecordPerson[] => record.for ?? RECORD_KINDS[record.kind]
