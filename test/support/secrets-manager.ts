import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A Secrets Manager on this machine, as far as `GetSecretValue` goes. */
export interface SecretsManager {
  readonly url: string
  /** The names that were asked for. */
  readonly asked: readonly string[]
  /** What AWSCURRENT names from now on. */
  put(name: string, value: unknown): void
  remove(name: string): void
  /** Answers every call in this way until it is called with nothing. */
  fail(how?: Failure): void
  stop(): Promise<void>
}

/** A status and a body, or silence. */
type Failure = readonly [number, string] | 'silent'

/** The key that callers have to sign with. */
const SECRET_KEY = 'local'

/** Starts one; a call that is not signed with the credentials of local runs is refused. */
export async function startSecretsManager(secretKey = SECRET_KEY): Promise<SecretsManager> {
  const held = new Map<string, string>()
  const asked: string[] = []
  let failure: Failure | undefined
  const server = createServer(async (request, response) => {
    const body = await text(request)
    if (failure === 'silent') return
    const [status, answer] = failure ?? answerTo(request, body)
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(answer)
  })

  function answerTo(request: IncomingMessage, body: string): readonly [number, string] {
    if (request.headers['x-amz-target'] !== 'secretsmanager.GetSecretValue') return fault('UnknownOperationException')
    if (!isSigned(request, body, secretKey)) return fault('InvalidSignatureException')
    const { SecretId: name } = JSON.parse(body) as { SecretId: string }
    asked.push(name)
    const SecretString = held.get(name)
    if (SecretString === undefined) return fault('ResourceNotFoundException')
    return [200, JSON.stringify({ ARN: `arn:aws:secretsmanager:::secret:${name}-AbCdEf`, Name: name, SecretString })]
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    put: (name, value) => void held.set(name, typeof value === 'string' ? value : JSON.stringify(value)),
    remove: (name) => void held.delete(name),
    fail: (how) => {
      failure = how
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function fault(type: string): readonly [number, string] {
  return [400, JSON.stringify({ __type: type, message: 'refused' })]
}

/** Signature version 4, computed from what came over the wire. */
function isSigned({ method, url, headers }: IncomingMessage, body: string, secretKey: string): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  const signed = names.split(';').map((name) => `${name}:${headers[name]}`)
  const canonical = [method, url, '', ...signed, '', names, sha256(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${secretKey}`)
  return mac(key, toSign).toString('hex') === signature
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
