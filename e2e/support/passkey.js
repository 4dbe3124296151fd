/** Valid values, by field name, of a passkey that nobody has, and of a code. */
export const passkeyFields = () => ({
  ...{ id: 'AAAA', rawId: 'AAAA', clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' },
  ...{ attestationObject: 'AAAA', code: '123456' },
})
