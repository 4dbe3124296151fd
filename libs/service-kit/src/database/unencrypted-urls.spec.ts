import { unencryptedUrls } from './unencrypted-urls.js'

const production = { NODE_ENV: 'production', DATABASE_URL: 'postgres://escrow_svc:secret@db.example:5432/holdfast' }

describe('the addresses of a database that name no encryption', () => {
  test('are found in production, by the names of their variables', () => {
    expect(unencryptedUrls(production)).toEqual(['DATABASE_URL'])
    const pooled = { DATABASE_URL: `${production.DATABASE_URL}?sslmode=verify-full` }
    expect(unencryptedUrls({ ...production, ...pooled })).toEqual([])
    const direct = { DATABASE_DIRECT_URL: 'postgres://escrow_svc@10.0.0.5/holdfast' }
    expect(unencryptedUrls({ ...production, ...pooled, ...direct })).toEqual(['DATABASE_DIRECT_URL'])
    const replica = { DATABASE_READ_URL: 'postgres://listing_svc@10.0.0.6/holdfast' }
    expect(unencryptedUrls({ ...production, ...pooled, ...replica })).toEqual(['DATABASE_READ_URL'])
  })

  test.each(['127.0.0.1', '[::1]', 'localhost'])('may lead to this machine: %s', host => {
    expect(unencryptedUrls({ ...production, DATABASE_URL: `postgres://escrow_svc@${host}:5432/holdfast` })).toEqual([])
  })

  test('do not matter elsewhere', () => {
    expect(unencryptedUrls({ ...production, NODE_ENV: 'development' })).toEqual([])
  })
})
