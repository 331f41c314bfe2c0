// A receiver of Stripe's webhooks that does right at every fault of `npx gatehouse try-receiver`, and wrong at the one that
// --omit names: node receiver.mjs --listen 127.0.0.1:4000 --secret … [--omit old-time]. Node 24, no packages.
import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const MOST_BYTES = 1_000_000
const TYPES = ['payment_intent.succeeded', 'payment_intent.payment_failed', 'charge.refunded']

/** A server; `GET /effects` answers with the number of effects. `secrets` are those in use, `former` is no longer. */
export function receiver({ secrets, former, omit }) {
  const isOmitted = (check) => check === omit
  const seen = new Set()
  let effects = 0
  let newest = 0
  let turn = Promise.resolve()

  /** What is answered when it applies: by a good receiver, and by one that omits the check. Without an answer, it goes on. */
  const OF_THE_CALL = [
    ['get', ({ method }) => method !== 'POST', 405, 200],
    ['charset', ({ headers }) => /charset=(?!utf-8)/.test(headers['content-type']), undefined, 415],
    ['4-mb', ({ body }) => body.length > MOST_BYTES, 413, 500],
    ['coding', ({ headers }) => headers['content-encoding'] !== undefined, 415, 500],
    ['no-signature', ({ headers }) => headers['stripe-signature'] === undefined, 401, 200],
  ]
  const OF_THE_EVENT = [
    ['unknown-event', ({ type }) => !TYPES.includes(type), undefined, 400],
    ['out-of-order', ({ created }) => created < newest, undefined, 409],
  ]
  const WRONG_BODIES = {
    'odd-bytes': (body) => [body.toString().trim()],
    unicode: (body) => [body.toString('ascii')],
    whitespace: (body) => [body, JSON.stringify(JSON.parse(body))],
  }
  const MOST_SECONDS = { late: 10, 'old-time': Number.POSITIVE_INFINITY }
  const KNOWN = { 'next-secret': secrets.slice(0, 1), 'other-secret': [...secrets, former] }

  function answerTo(value, rows) {
    const row = rows.find(([name, applies, good, bad]) => (isOmitted(name) ? bad : good) && applies(value))
    return row && (isOmitted(row[0]) ? row[3] : row[2])
  }

  /** docs.stripe.com/webhooks, "Verify webhook signatures manually". */
  function isProven({ headers, body }) {
    const elements = headers['stripe-signature'].split(',').map((element) => element.split('='))
    const [time, ...all] = ['t', 'v1'].flatMap((name) =>
      elements.flatMap(([one, value]) => (one === name ? value : [])),
    )
    const signatures = isOmitted('two-signatures') ? all.slice(0, 1) : all
    const macs = (KNOWN[omit] ?? secrets).flatMap((secret) =>
      (WRONG_BODIES[omit]?.(body) ?? [body]).map((text) =>
        createHmac('sha256', secret).update(`${time}.`).update(text).digest('hex'),
      ),
    )
    const isFresh = Date.now() / 1000 - time <= (MOST_SECONDS[omit] ?? 300)
    return isFresh && macs.some((mac) => signatures.some((signature) => isEqual(mac, signature)))
  }

  function isEqual(one, other) {
    if (isOmitted('wrong-signature')) return one.slice(0, 8) === other.slice(0, 8)
    return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
  }

  /** Has the effect of an event once. */
  async function once(id) {
    if (seen.has(id)) return
    if (isOmitted('two-at-once')) await setTimeout(100)
    seen.add(id)
    effects += 1
    if (isOmitted('repeated')) await setTimeout(100).then(() => seen.delete(id))
  }

  async function statusFor({ method, headers }, body) {
    const call = { method, headers, body }
    const refusal = answerTo(call, OF_THE_CALL)
    if (refusal) return refusal
    if (!isProven(call)) return 401
    const event = JSON.parse(body)
    const objection = answerTo(event, OF_THE_EVENT)
    if (objection) return objection
    newest = Math.max(newest, event.created)
    await once(event.id)
    return isOmitted('good') ? 302 : 200
  }

  /** One call after the other, where it is the fault that everybody waits. */
  async function inTurn(request) {
    const earlier = turn
    const { promise, resolve } = Promise.withResolvers()
    if (isOmitted('silence')) turn = promise
    await earlier
    return bytesOf(request)
      .then((body) => statusFor(request, body))
      .finally(resolve)
  }

  return createServer(async (request, response) => {
    if (request.url === '/effects') return response.end(`${effects}`)
    const status = await inTurn(request).catch(() => 500)
    response.writeHead(status).end()
  })
}

/** What is too long is read to its end, but not kept. */
async function bytesOf(request) {
  const pieces = []
  let length = 0
  for await (const piece of request) {
    if (length <= MOST_BYTES) pieces.push(piece)
    length += piece.length
  }
  return Buffer.concat(pieces)
}

if (import.meta.main) {
  const text = { type: 'string' }
  const options = { listen: text, secret: { ...text, multiple: true }, 'former-secret': text, omit: text }
  const { values } = parseArgs({ options })
  const { listen = '127.0.0.1:4000', secret: secrets = ['example'], 'former-secret': former, omit } = values
  const [host, port] = listen.split(':')
  receiver({ secrets, former, omit }).listen(Number(port), host)
  stdout.write(`Listening at http://${listen}/\n`)
}
