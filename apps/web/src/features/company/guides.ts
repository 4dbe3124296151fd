/** Four static checklists (spec section 2). */
export const GUIDES = [
  {
    title: 'Getting Started',
    items: [
      'Open an account',
      'Browse items, or create a listing',
      'Agree on price, inspection and returns before any money moves',
      'Watch the line: it shows where the money is',
    ],
  },
  {
    title: 'Safety & Security',
    items: [
      'Pay here only, never to a person directly',
      'Keep what you agree in the chat of the transaction',
      'Look for the verified mark',
      'Use a password you use nowhere else',
    ],
  },
  {
    title: 'Payment Guide',
    items: [
      'Read the total on the payment page: it is what is charged',
      'Pay within 24 hours of opening the transaction; the page counts the time down',
      'Wait for the word that the money is held before anything ships',
      'A declined payment charges nothing; try another card',
    ],
  },
  {
    title: 'Seller Tips',
    items: [
      'Photograph every fault',
      'Ship within 7 days, insured, with tracking',
      'Save the tracking number at once',
      'Answer within a day; a quick word settles most disputes',
    ],
  },
] as const
