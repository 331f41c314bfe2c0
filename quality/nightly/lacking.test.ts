import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { env } from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { deliveriesKey, toDeliveryItem } from '../../lib/adapters/dynamodb/delivery-item.ts'
import { toItem } from '../../lib/adapters/dynamodb/event-item.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { inlineBody } from '../../lib/adapters/dynamodb/stored-body.ts'
import type { Delivery } from '../../lib/deliver/delivery.ts'
import { namedIdAt } from '../../lib/runtime/ids.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { chromiumPath, launch } from '../../test/support/chromium.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const EVENTS = Number(env['LACKING_EVENTS'] ?? 10_000)
const DEAD = 137
const DAY = 86_400_000
const TABLES = { events: 'gatehouse-local-events', deliveries: 'gatehouse-local-deliveries' }

/** How often each message arrived at the ERP. */
const arrived = new Map<string, number>()

const erp = createServer(async (request, response) => {
  for await (const _ of request);
  const id = String(request.headers['webhook-id'])
  arrived.set(id, (arrived.get(id) ?? 0) + 1)
  response.writeHead(204).end()
})

const folder = temporaryFolder()
let stack: Stack
let documents: DynamoDBDocumentClient
let admin: Awaited<ReturnType<typeof adminHeaders>>
let events: readonly WebhookEvent[]

/** Dead as well, but before the time that is asked for. */
const OLD = { ...processed(-1, new Date(Date.now() - 3 * DAY)), eventId: 'old' }

/** Dead deliveries since then are asked for. */
const SINCE = new Date(Date.now() - 2 * DAY)

beforeAll(async () => {
  await new Promise<void>((resolve) => void erp.listen(0, '127.0.0.1', resolve))
  const { port } = erp.address() as AddressInfo
  copyProject(process.cwd(), folder.path)
  const config = { destinations: { erp: { to: 'http', url: `http://127.0.0.1:${port}/`, from: { '*': ['**'] } } } }
  const local = JSON.stringify(config).replace(/"url":("[^"]+")/, '"url":{"byStage":{"local":$1}}')
  writeFileSync(join(folder.path, 'gatehouse.config.ts'), `export default ${local}`)
  stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: join(folder.path, '.data') }, [
    'env',
    '-C',
    folder.path,
  ])
  admin = await adminHeaders(stack.ready)
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: stack.ready.dynamodb, region: 'eu-central-1', credentials })
  documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } })
  events = Array.from({ length: EVENTS }, (_, number) => processed(number))
  await put(
    TABLES.events,
    [...events, OLD].map((event) => toItem(event, bodyOf(event), endOf(event))),
  )
  await put(TABLES.deliveries, [...events, OLD].map(deliveryItem))
}, 900_000)

afterAll(async () => {
  documents?.destroy()
  await stack?.stop()
  erp.closeAllConnections()
  erp.close()
  folder.remove()
})

/** Accepted within the last day, the first of them longest ago. */
function processed(number: number, at = new Date(Date.now() - DAY / 2 + number * 10)): WebhookEvent {
  const payload = Buffer.from(JSON.stringify({ number }))
  return {
    ...{ id: namedIdAt(at.getTime(), `e-${number}`), source: 'shop', eventId: `e-${number}`, eventType: 'sale' },
    ...{ status: 'PROCESSED', receivedAt: at, processedAt: at, attempts: 0, dead: false, payload },
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    proof: { level: 'body', key: 'shop#1', typeSigned: false, idSigned: false },
    headers: { 'content-type': 'application/json' },
    history: [{ at, status: 'PROCESSED', by: 'intake' }],
  }
}

const endOf = ({ receivedAt }: WebhookEvent) => new Date(receivedAt.getTime() + 90 * DAY)
const bodyOf = ({ payload }: WebhookEvent) => inlineBody(payload, true) ?? { payload }

/** So many of the deliveries, spread over all, are dead. */
const isDead = (number: number) => number % Math.floor(EVENTS / DEAD) === 0 && number / Math.floor(EVENTS / DEAD) < DEAD

function deliveryItem(event: WebhookEvent, number: number) {
  const { id, source, eventId, eventType, receivedAt: at } = event
  const [status, answer] =
    isDead(number) || event === OLD ? (['DEAD', 'HTTP 500'] as const) : (['DELIVERED', 'HTTP 204'] as const)
  const move = { at, status, answer, attempt: 1, ms: (number % 100) + 1, url: '127.0.0.1' } as const
  const delivery: Delivery = {
    ...{ id, source, eventId, eventType, receivedAt: at, destination: 'erp', status, attempts: 1, answer },
    ...(status === 'DELIVERED' && { deliveredAt: at }),
    ...{ endsAt: endOf(event), history: [move] },
  }
  return { ...toDeliveryItem(delivery), ...(status === 'DEAD' && { deadFor: 'erp' }) }
}

async function put(table: string, items: readonly object[]): Promise<void> {
  const starts = Iterator.from(Array.from({ length: Math.ceil(items.length / 25) }, (_, page) => page * 25))
  const putAll = async () => {
    for (const start of starts) {
      const Request = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item: { ...Item } } }))
      await documents.send(new BatchWriteCommand({ RequestItems: { [table]: Request } }))
    }
  }
  await Promise.all(Array.from({ length: 8 }, putAll))
}

// biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the description
async function ask(path: string): Promise<any> {
  const response = await fetch(`${stack.ready.http}${path}`, { headers: admin })
  const json = await response.json()
  expect(response.ok, JSON.stringify(json)).toBe(true)
  return json
}

it('the figures of a day are counted over 10,000 deliveries, or say that some are left out', async () => {
  const begun = performance.now()
  const { destinations } = await ask('/api/destinations?name=erp')
  const seconds = (performance.now() - begun) / 1000
  const { day } = destinations[0]
  console.info(`the day of ${EVENTS} deliveries: ${JSON.stringify(day)}, ${seconds.toFixed(1)} s`)
  expect(day.delivered + day.failed).toBeGreaterThan(0)
  if (day.complete) expect([day.delivered, day.failed]).toEqual([EVENTS - DEAD, DEAD])
})

it('a list that is read to its end while deliveries change has no row twice, and each that was there', async () => {
  const store = dynamoEventStore(documents, { ...TABLES, effects: [] })
  let isOver = false
  let changed = 0
  const change = async (worker: number) => {
    for (let number = worker; !isOver; number += 8) {
      const event = events[(number * 7) % EVENTS] as WebhookEvent
      if (isDead((number * 7) % EVENTS)) continue
      await documents.send(
        new UpdateCommand({
          TableName: TABLES.deliveries,
          Key: { event: deliveriesKey(event), destination: 'erp' },
          UpdateExpression: 'SET attempts = attempts + :one',
          ExpressionAttributeValues: { ':one': 1 },
        }),
      )
      changed += 1
      if (number % 20 !== worker) continue
      const at = new Date()
      const id = namedIdAt(at.getTime(), `new-${number}`)
      const fresh = { ...event, id, eventId: `new-${number}`, receivedAt: at, processedAt: at }
      await store.insert(fresh, {}, { deliverTo: [{ destination: 'erp', sweepAt: new Date(Date.now() + DAY) }] })
    }
  }
  const changing = Promise.all(Array.from({ length: 8 }, (_, worker) => change(worker)))
  const pagesOf = async (query: string) => {
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const page = await ask(`/api/destinations/erp/deliveries?limit=200${query}${cursor ? `&cursor=${cursor}` : ''}`)
      listed.push(...page.deliveries.map(({ eventId }: { readonly eventId: string }) => eventId))
      cursor = page.nextCursor
    } while (cursor)
    return listed
  }
  const all = await pagesOf('')
  const dead = await pagesOf('&state=DEAD')
  isOver = true
  await changing
  console.info(`${all.length} rows listed while ${changed} changed`)
  expect(new Set(all).size).toBe(all.length)
  expect(new Set(events.map(({ eventId }) => eventId)).difference(new Set(all))).toEqual(new Set())
  const lacking = [OLD, ...events.filter((_, number) => isDead(number))].map(({ eventId }) => eventId)
  expect(dead.toSorted()).toEqual(lacking.toSorted())
  expect(changed).toBeGreaterThan(EVENTS / 10)
}, 300_000)

it.skipIf(chromiumPath() === undefined)(
  'what the ERP lacks since a day is found, and just that is sent, in two steps of the console, each once',
  async () => {
    arrived.clear()
    const browser = await launch(chromiumPath() ?? '')
    const page = await browser.newPage({ baseURL: stack.ready.http, viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(30_000)
    const { username = '', password = '' } = stack.ready.users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
    await page.goto('/login')
    await page.getByRole('textbox', { name: 'User name' }).fill(username)
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.waitForURL((url) => url.pathname !== '/login')

    // Which ones: the address is what the page of destinations links to, with the state and the time chosen.
    await page.goto('/console/deliveries?destination=erp')
    await page.getByLabel('State').selectOption('DEAD')
    await page.getByLabel('Received since').fill(SINCE.toISOString().slice(0, 16))
    await page.locator('tbody tr').first().waitFor()
    expect(await page.locator('tbody tr').first().innerText()).toContain('HTTP 500')

    // Send just these.
    await page.getByRole('button', { name: 'Send these again …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Events a second').fill('100')
    await dialog.getByRole('button', { name: 'Count' }).click()
    await dialog.getByText(`${DEAD} events match.`).waitFor()
    await dialog.getByRole('button', { name: `Start with ${DEAD}` }).click()
    await dialog.waitFor({ state: 'detached' })
    await browser.close()

    const dead = events.flatMap(({ id }, number) => (isDead(number) ? [`gh_${id}`] : []))
    await vi.waitUntil(() => dead.every((id) => arrived.has(id)), { timeout: 120_000, interval: 250 })
    expect(dead.map((id) => arrived.get(id))).toEqual(dead.map(() => 1))
    const others = [OLD, ...events.filter((_, number) => !isDead(number))].map(({ id }) => `gh_${id}`)
    expect(others.filter((id) => arrived.has(id))).toEqual([])
    const { replays } = await ask('/api/webhooks/replays')
    expect(replays[0]).toMatchObject({
      destination: 'erp',
      filter: { delivery: ['DEAD'], from: expect.stringContaining(SINCE.toISOString().slice(0, 16)) },
      matched: DEAD,
    })
  },
  300_000,
)
