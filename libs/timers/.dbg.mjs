import pg from 'pg'

const c = new pg.Client('postgres://postgres:pw@127.0.0.1:21150/postgres')
await c.connect()
console.log(
  (await c.query('select version()')).rows,
  (await c.query("select nspname,nspacl from pg_namespace where nspname='timers'")).rows,
)
console.log((await c.query('select datname from pg_database')).rows.map(r => r.datname).join())
