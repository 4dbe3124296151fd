/** What is wrong with the shape of an e-mail address, or nothing. Whether it exists is for the server to find out. */
export const emailFault = (email: string): string | undefined =>
  email.includes('@') ? undefined : 'Enter an email address with an @'
