/** A bucket, and the login with which it is used. */
export interface S3Settings {
  readonly host: string
  readonly port: number
  /** Whether requests are sent over https. */
  readonly secure: boolean
  readonly bucket: string
  readonly accessKey: string
  readonly secretKey: string
  readonly region: string
}

const PROTOCOLS: Readonly<Record<string, boolean>> = { 's3+http:': false, 's3+https:': true }
/** Amazon's rule for names of buckets, without its rarer cases. */
const BUCKET_PATH = /^\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Reads `s3+https://host:port/bucket`; null for every other text, also for one with a login in it. */
export function readS3Url(text: string): Pick<S3Settings, 'host' | 'port' | 'secure' | 'bucket'> | null {
  if (!URL.canParse(text)) return null
  const { protocol, hostname, port, pathname, username, password, search, hash } = new URL(text)
  const secure = PROTOCOLS[protocol]
  if (secure === undefined || hostname === '' || !BUCKET_PATH.test(pathname)) return null
  if (username + password + search + hash !== '') return null
  return { host: hostname, port: port === '' ? (secure ? 443 : 80) : Number(port), secure, bucket: pathname.slice(1) }
}

const WRONG_LOGIN = 'it does not accept STORAGE_ACCESS_KEY with STORAGE_SECRET_KEY'
const WRONG_REGION = 'it is in another region than STORAGE_REGION'
/** What S3's error codes mean for an operator. */
const MEANINGS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'it has no such bucket',
  InvalidAccessKeyId: WRONG_LOGIN,
  // The name that versitygw has for it.
  XAdminUserNotFound: WRONG_LOGIN,
  SignatureDoesNotMatch: WRONG_LOGIN,
  AuthorizationHeaderMalformed: WRONG_REGION,
  PermanentRedirect: WRONG_REGION,
  MovedPermanently: WRONG_REGION,
  TemporaryRedirect: WRONG_REGION,
  AccessDenied: 'the login may not do this, or a retention protects the object',
  RequestTimeTooSkewed: 'its clock and ours differ too much',
}

/** The storage refused a request. It names the place and the reason, and no secret. */
export class StorageRefused extends Error {
  override readonly name = 'StorageRefused'
  constructor({ host, bucket }: Pick<S3Settings, 'host' | 'bucket'>, refusal: Error & { readonly code?: string }) {
    const code = refusal.code || 'without a code'
    super(
      `the object storage ${host} refused a request for the bucket ${bucket}: ${MEANINGS[code] ?? 'see its code'} (${code})`,
    )
  }
}

/** The bucket answers people without a login. */
export class BucketIsPublic extends Error {
  override readonly name = 'BucketIsPublic'
  /** @param object the object that was asked for; empty for the list of all */
  constructor({ host, bucket }: Pick<S3Settings, 'host' | 'bucket'>, object: string, status: number) {
    const asked = object === '' ? 'a list of its objects' : `the object ${object}`
    super(
      `the bucket ${bucket} of ${host} must be private: asked for ${asked} without a login, it answered ${status}, not 403`,
    )
  }
}
