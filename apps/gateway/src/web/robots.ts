/**
 * robots.txt (RFC 9309). It does not forbid private pages, because a crawler must read a page to see its `noindex`. Of the
 * API, crawlers may read only the routes that public pages use.
 */
export const robotsTxt = (publicUrl: string): string => `User-agent: *
Allow: /api/images/
Allow: /api/listings
Disallow: /api/

Sitemap: ${publicUrl}/sitemap.xml
`
