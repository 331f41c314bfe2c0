import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/** AWS credentials that sign a request. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Present for temporary credentials, as those of roles. */
  readonly sessionToken?: string | undefined
}

/** The region, the service and the time of a signature. */
export interface Scope {
  readonly region: string
  readonly service: string
  readonly at: Date
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/**
 * The headers of a signed POST to the root of a service, `host` and `authorization` among them (AWS IAM User Guide,
 * "Create a signed AWS API request", signature version 4).
 * @param headers with names in lower case
 */
export function signedHeaders(
  { host, headers, body }: { readonly host: string; readonly headers: Readonly<Record<string, string>>; body: string },
  { accessKeyId, secretAccessKey, sessionToken }: AwsCredentials,
  { region, service, at }: Scope,
): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(all).sort()
  const lines = names.map((name) => `${name}:${all[name]}\n`).join('')
  const canonical = `POST\n/\n\n${lines}\n${names.join(';')}\n${sha256(body)}`
  const scope = [day, region, service, 'aws4_request']
  const text = `${ALGORITHM}\n${time}\n${scope.join('/')}\n${sha256(canonical)}`
  const signature = mac(keyFor(scope, secretAccessKey), text).toString('hex')
  const authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope.join('/')}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...all, authorization }
}

/** The last derived key; most calls share its day and service. */
let last: { readonly of: string; readonly key: KeyObject } | undefined

function keyFor(scope: readonly string[], secretAccessKey: string): KeyObject {
  const of = [...scope, secretAccessKey].join('/')
  if (last?.of !== of) last = { of, key: scope.reduce(derived, createSecretKey(`AWS4${secretAccessKey}`, 'utf8')) }
  return last.key
}

function derived(key: KeyObject, part: string): KeyObject {
  return createSecretKey(mac(key, part))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function mac(key: KeyObject, text: string) {
  return createHmac('sha256', key).update(text).digest()
}
