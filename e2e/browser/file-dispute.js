import assert from 'node:assert/strict'

/** Files a dispute with the wizard, from the page of a deal for $120.00 between Bea and Sam. Ends on the list of disputes. */
export async function fileDispute(page, deal) {
  await page.getByRole('link', { name: 'File a dispute', exact: true }).click()
  const chosen = page.getByRole('radio', { name: deal.listing.title })
  await chosen.waitFor()
  assert.equal(await chosen.isChecked(), true, 'the deal from whose page one comes is chosen')
  await page.getByText('Purchased from Sam Tester').waitFor()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await page.getByText('Choose a reason.', { exact: true }).waitFor()
  await page.getByText('Say what happened.', { exact: true }).waitFor()
  await page.getByLabel('Reason').selectOption('Item damaged')
  await page.getByLabel('Description').fill('The mirror is cracked from edge to edge.')
  await page.getByRole('button', { name: 'Review', exact: true }).click()
  await page.getByText('The mirror is cracked from edge to edge.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Submit Dispute', exact: true }).click()
  await page.getByText('Dispute filed successfully').first().waitFor()
  await page.waitForURL('**/disputes')
  const card = page.getByRole('article')
  for (const text of ['Open', 'Pending Review', '$127.40', 'The mirror is cracked from edge to edge.'])
    await card.getByText(text, { exact: true }).waitFor()
  await card.getByText(/^Item damaged, filed /).waitFor()
}

/** The only dispute of a deal. */
export async function onlyDisputeOf({ id, buyer }) {
  const disputes = await buyer.expect(200, 'GET', `/api/disputes/user/${buyer.id}`)
  assert.deepEqual(
    disputes.map(({ transactionId }) => transactionId),
    [id],
  )
  return disputes[0]
}
