import type { Listing } from '@holdfast/contracts/listings'
import type { CurrentUser, PublicUser } from '@holdfast/contracts/users'

export const ben: CurrentUser = {
  id: '01900000-0000-7000-8000-000000000001',
  firstName: 'Ben',
  lastName: 'Okafor',
  username: 'ben',
  email: 'ben@example.com',
  isVerified: false,
  rating: null,
  profileImageUrl: null,
  phoneNumber: null,
  avatar: null,
  totalTransactions: 0,
  verificationStatus: 'pending',
  role: 'user',
  plan: 'standard',
  createdAt: '2026-01-01T00:00:00.000Z',
}

export const ana: PublicUser = {
  id: '01900000-0000-7000-8000-000000000002',
  firstName: 'Ana',
  lastName: 'Ruiz',
  username: 'ana',
  isVerified: true,
  rating: 4.85,
  profileImageUrl: null,
}

export const chair: Listing = {
  id: 7,
  title: 'Oak chair',
  description: 'Sturdy',
  price: '1240.00',
  currency: 'USD',
  category: 'Home & Garden',
  condition: 'Good',
  location: null,
  status: 'active',
  isPrivate: false,
  sellerId: ana.id,
  seller: ana,
  escrowDays: 3,
  inspectionPeriod: 3,
  returnPolicy: 'no-returns',
  images: [],
  createdAt: '2026-11-18T10:00:00.000Z',
}
