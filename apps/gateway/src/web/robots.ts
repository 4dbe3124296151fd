/**
 * robots.txt (RFC 9309). Pages that are not for search engines say so themselves with `noindex`: a crawler that may not
 * read a page would not see that. Of the API, crawlers may read what the public pages show; the rest is data.
 */
export const robotsTxt = (publicUrl: string): string => `User-agent: *
Allow: /api/images/
Allow: /api/listings
Disallow: /api/

Sitemap: ${publicUrl}/sitemap.xml
`
