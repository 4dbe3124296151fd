// The baseline of the listing page: a bare Nest-Fastify handler that runs the same SQL, one statement a request. It has no
// contract, no session and no gateway.
import 'reflect-metadata'
import { Controller, Get, Module, Param } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import pg from 'pg'

const pool = new pg.Pool({
  ...JSON.parse(process.env.BENCH_DATABASE ?? '{}'),
  max: 8,
  options: '-c search_path=listing',
})
const BY_ID = {
  name: 'listing-by-id',
  text: `SELECT l.id, l.version, l.title, l.description, l.price_minor, l.currency, l.category, l.condition, l.location,
    l.status, l.is_private, l.seller_id, l.counterparty_id, l.created_by, l.inspection_days, l.return_policy, l.image_hashes,
    l.created_at, s.version AS seller_version, s.first_name, s.last_name, s.username, s.is_verified, s.rating,
    s.profile_image_url
    FROM listing l JOIN seller s ON s.id = l.seller_id WHERE l.id = $1`,
}

class Listings {
  async get(id) {
    const { rows } = await pool.query({ ...BY_ID, values: [Number(id)] })
    const row = rows[0]
    return {
      id: Number(row.id),
      title: row.title,
      description: row.description,
      price: `${row.price_minor.slice(0, -2)}.${row.price_minor.slice(-2)}`,
      currency: row.currency,
      category: row.category,
      condition: row.condition,
      location: row.location,
      status: row.status,
      isPrivate: row.is_private,
      sellerId: row.seller_id,
      seller: {
        id: row.seller_id,
        firstName: row.first_name,
        lastName: row.last_name,
        username: row.username,
        isVerified: row.is_verified,
        rating: row.rating,
        profileImageUrl: row.profile_image_url,
      },
      escrowDays: row.inspection_days,
      inspectionPeriod: row.inspection_days,
      returnPolicy: row.return_policy,
      images: row.image_hashes.map(hash => `/api/images/${hash}`),
      createdAt: row.created_at.toISOString(),
    }
  }
}
// Decorators are called by hand, since this file is not compiled.
Param('id')(Listings.prototype, 'get', 0)
Get('listings/:id')(Listings.prototype, 'get', { value: Listings.prototype.get })
Controller()(Listings)
class Bare {}
Module({ controllers: [Listings] })(Bare)

const app = await NestFactory.create(Bare, new FastifyAdapter(), { logger: ['error'] })
await app.listen(0, '127.0.0.1')
process.send?.({ port: app.getHttpServer().address().port })
