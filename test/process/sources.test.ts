import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { configuredSources, configuredTeam, TEAM_MODULE, teamOutside, textOfTeam } from '../../infra/team-config.ts'
import type { Catalog } from '../../lib/webhooks/sources/catalog.ts'
import { newMessage } from '../../localstack/senders/message.ts'
import { prove } from '../../localstack/senders/prove.ts'
import { signerOf } from '../../localstack/senders/signers.ts'
import { senderOf } from '../../localstack/senders/table.ts'
import { START } from '../support/fakes/clock.ts'
import { temporaryFolder } from '../support/stack.ts'
import { type Outcome, receiverFor } from '../support/webhook-receiver.ts'

const folder = temporaryFolder()
afterAll(folder.remove)

const PAGE = readFileSync('docs/sources.md', 'utf8')

let files = 0

/** The sources of a file with that text. */
function sourcesIn(text: string): Promise<Catalog> {
  files += 1
  const file = join(folder.path, `config-${files}.ts`)
  writeFileSync(file, text)
  return configuredSources(file)
}

/** The examples of the page: one source each. */
const EXAMPLES = new Map(
  [...PAGE.matchAll(/^```ts example (\S+) \S+\n(.+?)^```/gms)].map(([, name = '', source = '']) => [
    name,
    `import { defineConfig } from 'gatehouse'
export default defineConfig({ sources: { '${name}': ${source} } })`,
  ]),
)

const SECONDS = String(START.getTime() / 1000)
const MILLISECONDS = String(START.getTime())
const SECRET = 'a secret that both sides know'
const WHSEC_BYTES = '000102030405060708090a0b0c0d0e0f1011121314151617'

/** The keyed hash that openssl makes of a text. */
function hmac(signed: string, { hash = 'sha256', hexKey = Buffer.from(SECRET).toString('hex') } = {}): Buffer {
  const args = ['mac', '-digest', hash, '-macopt', `hexkey:${hexKey}`, '-binary', 'HMAC']
  return execFileSync('openssl', args, { input: signed })
}

/** `user:password` as curl would send it, by openssl. */
const base64 = (text: string) => execFileSync('openssl', ['base64', '-A'], { input: text }).toString()

interface Call {
  readonly query?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly secret?: string
  readonly event: object
  /** What the same call is once a byte of its body has changed. */
  readonly changed?: Outcome
}

const JSON_BODY = '{"id":"evt_1","type":"order.paid","meta":{"eventId":"m_1","kind":"order.paid"}}'

/** A call of each example, signed by openssl, and the event that it becomes. */
const CALLS: Readonly<Record<string, () => Call>> = {
  'shop-berlin': () => ({
    headers: {
      'x-shopify-hmac-sha256': hmac(JSON_BODY).toString('base64'),
      'x-shopify-topic': 'orders/paid',
      'x-shopify-webhook-id': 'w_1',
    },
    body: JSON_BODY,
    event: { eventId: 'w_1', eventType: 'orders/paid', proof: { level: 'body' } },
  }),
  'mercado-pago': () => ({
    query: '?data.id=p_1&type=payment',
    headers: {
      'x-signature': `ts=${MILLISECONDS},v1=${hmac(`id:p_1;request-id:r-1;ts:${MILLISECONDS};`).toString('hex')}`,
      'x-request-id': 'r-1',
    },
    body: '{"id":"e_1","action":"payment.updated","data":{"id":"p_1"}}',
    event: { eventId: 'e_1', eventType: 'payment.updated', proof: { level: 'fields', signedAt: START } },
    changed: 'held',
  }),
  'body-only': () => ({
    headers: { 'x-body-hmac': hmac(JSON_BODY, { hash: 'sha512' }).toString('base64') },
    body: JSON_BODY,
    event: { eventId: 'm_1', eventType: 'order.paid', proof: { level: 'body' } },
  }),
  timed: () => ({
    headers: {
      'x-signature': hmac(`${MILLISECONDS}.POST./webhooks/timed.${JSON_BODY}`).toString('hex'),
      'x-sent-at': MILLISECONDS,
      'x-topic': 'orders',
    },
    body: JSON_BODY,
    event: { eventType: 'orders', proof: { level: 'full', signedAt: START } },
  }),
  listed: () => ({
    headers: {
      'x-listed-signature': `t=${SECONDS},v1=${'0'.repeat(64)},v0=abc,v1=${hmac(`${SECONDS}.${JSON_BODY}`).toString('hex')}`,
    },
    body: JSON_BODY,
    event: { eventId: 'evt_1', eventType: 'UNKNOWN', proof: { level: 'full' } },
  }),
  'standard-like': () => ({
    headers: {
      'x-hook-id': 'msg_1',
      'x-hook-timestamp': SECONDS,
      'x-hook-signature': `v1a,AAAA v1,${hmac(`msg_1.${SECONDS}.${JSON_BODY}`, { hexKey: WHSEC_BYTES }).toString('base64')}`,
    },
    body: JSON_BODY,
    secret: `whsec_${Buffer.from(WHSEC_BYTES, 'hex').toString('base64')}`,
    event: { eventId: 'msg_1', eventType: 'order.paid', proof: { level: 'full', key: 'standard-like#1' } },
  }),
  'basic-sender': () => ({
    headers: { authorization: `Basic ${base64('gatehouse:correct horse')}` },
    body: JSON_BODY,
    secret: 'gatehouse:correct horse',
    event: { eventId: 'evt_1', proof: { level: 'token' } },
    changed: 'stored',
  }),
  'bearer-sender': () => ({
    headers: { authorization: `Bearer ${base64('token')}` },
    body: 'id=f_1&event=message.sent&text=hello+world',
    secret: base64('token'),
    event: { eventId: 'f_1', eventType: 'message.sent', proof: { level: 'token' } },
    changed: 'conflict',
  }),
  'token-sender': () => ({
    headers: { 'x-webhook-token': SECRET },
    body: JSON_BODY,
    event: { eventId: expect.stringMatching(/^n:/), proof: { level: 'token' } },
    changed: 'stored',
  }),
}

describe('the page about sources by configuration', () => {
  it('has an example of each kind, and each is tested', () => {
    const kinds = [...PAGE.matchAll(/^```ts example \S+ (\S+)$/gm)].map(([, kind]) => kind)
    expect(new Set(kinds)).toEqual(new Set(['shopify', 'hmac', 'basic', 'bearer', 'token']))
    expect(Object.keys(CALLS)).toEqual([...EXAMPLES.keys()])
  })

  it.each(Object.entries(CALLS))('%s accepts only calls that openssl has signed', async (name, callOf) => {
    const { query = '', headers, body, secret = SECRET, event, changed = 'refused' } = callOf()
    const receiver = receiverFor(name, { sources: await sourcesIn(EXAMPLES.get(name) ?? ''), secrets: [secret] })
    const send = (text: string, others = headers) =>
      receiver.receive({
        method: 'POST',
        url: `https://hooks.example.com/webhooks/${name}${query}`,
        headers: others,
        body: Buffer.from(text),
      })

    expect(await send(body)).toBe('stored')
    expect(receiver.events()).toMatchObject([event])
    expect(await send(body.replace('e', 'f'))).toBe(changed)
    expect(await send(body, {})).toBe('refused')
    const forged = Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, `${value}A`]))
    expect(await send(body, forged)).toBe('refused')
  })

  it.each([...EXAMPLES])('npx gatehouse send simulates %s', async (name, text) => {
    const sources = await sourcesIn(text)
    const { scheme } = sources.providerOf(name)
    const sender = senderOf(name, sources)
    if (!sender) throw new Error('no sender')
    const credentials = signerOf(scheme.methods[0]).make()
    const url = `https://hooks.example.com/webhooks/${name}`
    const [event] = sender.events
    const message = newMessage(sender, event, { id: 'an-id', at: START })
    const call = prove(message, { name, sender, sources, credentials, url, signedAt: START })
    const receiver = receiverFor(name, { sources, secrets: [credentials.secret] })
    expect(await receiver.receive(call)).toBe('stored')
  })

  it('contains a complete file that is accepted', async () => {
    const [, whole = ''] = /^```ts gatehouse\.config\.ts\n(.+?)^```/ms.exec(PAGE) ?? []
    const { configured } = await sourcesIn(whole)
    expect([...configured.keys()]).toEqual(['stripe-eu', 'acme-crm'])
    expect(configured.get('acme-crm')).toMatchObject({ rateLimitPerMinute: 600 })
  })

  it('shows mistakes with their error messages', async () => {
    const [, told = ''] = /^```text wrong\n(.+?)^```/ms.exec(PAGE) ?? []
    const wrong = sourcesIn(`import { defineConfig } from 'gatehouse'
export default defineConfig({ sources: {
  'acme-crm': { proof: { kind: 'hmac', header: 'X-Sign', signed: '{id}{body}' }, event: { id: { header: 'X-Sign' } } },
  'stripe-eu': { preset: 'strype' },
} })`)
    await expect(wrong).rejects.toMatchObject({ message: told.trimEnd() })
  })
})

describe('a file without a valid configuration', () => {
  it.each([
    [
      'two sources of one name',
      `export default { sources: { a: { preset: 'zoom' },\n a: { preset: 'slack' } } }`,
      /config-\d+\.ts:2: Duplicate key "a"/,
    ],
    ['no default export', 'export const config = {}', /must have a default export/],
    ['code that throws', `throw new Error('at once')\nexport default {}`, /it cannot be run: at once/],
  ])('is reported with its place: %s', async (_, text, problem) => {
    await expect(sourcesIn(text)).rejects.toThrow(problem)
  })
})

it('a configuration at the root stands beside the bundles, and is empty without one', async () => {
  const file = join(folder.path, 'bundled.ts')
  writeFileSync(file, `export default { sources: { 'stripe-eu': { preset: 'stripe' } } }`)
  const bundled = async (given: string) => {
    const { outputFiles } = await build({
      entryPoints: ['lib/app/sources.ts'],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      plugins: [teamOutside],
    })
    files += 1
    const built = join(folder.path, `built-${files}`)
    mkdirSync(built)
    writeFileSync(join(built, 'index.mjs'), outputFiles[0]?.contents ?? '')
    const team = await configuredTeam(undefined, given, join(folder.path, 'handlers'))
    writeFileSync(join(built, TEAM_MODULE), textOfTeam(team))
    const { teamSources } = await import(join(built, 'index.mjs'))
    return [...teamSources().configured.keys()]
  }
  expect(await bundled(file)).toEqual(['stripe-eu'])
  expect(await bundled(join(folder.path, 'absent.ts'))).toEqual([])
})
