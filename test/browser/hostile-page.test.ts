import { randomUUID } from 'node:crypto'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient, GetCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { type PortName, type Ports, portsAt } from '../../localstack/stack/ports.ts'
import { EVIL } from '../support/chromium.ts'
import { partsBelow } from '../support/stack.ts'
import { describeInBrowser, newContext, newUser } from '../support/visit.ts'

const SETTINGS = { region: 'eu-central-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }

/** What an emulator takes for a signature. */
const SIGNED = {
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=a/20260101/eu-central-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
}

const FORM = 'application/x-www-form-urlencoded'

/** A request that a browser sends without a preflight, and without showing the answer. */
const blind = (body: string, type = 'text/plain'): RequestInit => ({
  method: 'POST',
  mode: 'no-cors',
  headers: { 'content-type': type },
  body,
})

const USERS = 'gatehouse-local-users'
const MESSAGES = 'gatehouse-local-messages'

/** Of this file, so that nobody else reads what arrives. */
const QUEUE = `test-${randomUUID()}`
const ARN = `eu-central-1:000000000000:${QUEUE}`

/**
 * Forms that lead to a message in that queue. The emulator takes requests to SQS in JSON only, which need a preflight,
 * but it speaks SNS, too, which takes forms.
 */
const FORMS = [
  { Action: 'CreateTopic', Name: QUEUE },
  { Action: 'Subscribe', TopicArn: `arn:aws:sns:${ARN}`, Protocol: 'sqs', Endpoint: `arn:aws:sqs:${ARN}` },
  { Action: 'Publish', TopicArn: `arn:aws:sns:${ARN}`, Message: 'forged' },
].map((fields) => new URLSearchParams(fields).toString())

/** A message that the container would pass on. */
const MESSAGE = { TableName: MESSAGES, Item: { slot: { N: '0' }, id: { S: 'forged' } } }

/** An event that has the function make an admin. */
const NEW_ADMIN = JSON.stringify({
  version: '2.0',
  rawPath: '/api/users',
  rawQueryString: '',
  headers: { 'content-type': 'application/json', authorization: `Basic ${btoa('admin:admin-demo')}` },
  requestContext: { http: { method: 'POST', path: '/api/users', sourceIp: '127.0.0.1' } },
  body: JSON.stringify({ username: 'backdoor', password: 'backdoor-demo', role: 'ADMIN' }),
  isBase64Encoded: false,
})

const PAYMENT = JSON.stringify({
  eventId: 'forged',
  transactionId: 'forged',
  orderId: 'forged',
  status: 'FAILED',
  currency: 'EUR',
})

describeInBrowser('a hostile page in the browser of a user who runs npm start', () => {
  let ports: Ports
  let tables: DynamoDBDocumentClient
  let queues: SQSClient
  let queue: string
  let page: Page
  /** A user whom no other file knows. */
  let victim: string

  beforeAll(async () => {
    victim = await newUser()
    ports = portsAt(Number(new URL(inject('http')).port) - portsAt(0).http)
    const { dynamodb, sqs } = inject('ready')
    tables = DynamoDBDocumentClient.from(new DynamoDBClient({ ...SETTINGS, endpoint: dynamodb }))
    queues = new SQSClient({ ...SETTINGS, endpoint: sqs, useQueueUrlAsEndpoint: false })
    const { QueueUrl: url = '' } = await queues.send(new CreateQueueCommand({ QueueName: QUEUE }))
    queue = url
  })
  beforeEach(async () => {
    const context = await newContext()
    page = await context.newPage()
    await page.goto(`http://${EVIL}:${inject('otherSitesPort')}`)
    return () => context.close()
  })

  const at = (name: PortName, target = '/') => `http://127.0.0.1:${ports[name]}${target}`

  /** What the script of the page learns of its request: the answer, `sent` if it may not read that, or `refused`. */
  async function learned(url: string, init: RequestInit = {}): Promise<string> {
    const script = `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then(
      async (answer) => (answer.type === 'opaque' ? 'sent' : answer.status + ' ' + (await answer.text())),
      () => 'refused',
    )`
    return String(await page.evaluate(script))
  }

  const aws = (action: string, body: object): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${action}`, ...SIGNED },
    body: JSON.stringify(body),
  })

  /** The rows that an attack would make or change; meanwhile other files make other rows. */
  async function stored(): Promise<readonly unknown[]> {
    const keys = [
      [USERS, { uid: 'NAME#backdoor' }],
      [USERS, { uid: `NAME#${victim}` }],
      ['gatehouse-local-events', { source: 'payment', eventId: 'forged' }],
      ['gatehouse-local-payments', { transactionId: 'forged' }],
      [MESSAGES, { slot: 0, id: 'forged' }],
    ] as const
    const reads = keys.map(([table, key]) => tables.send(new GetCommand({ TableName: table, Key: key })))
    return (await Promise.all(reads)).map(({ Item: item }) => item)
  }

  /** Rows of nobody, and what makes an admin of a user. */
  const promotion = () => ({
    TableName: USERS,
    Key: { uid: { S: `NAME#${victim}` } },
    UpdateExpression: 'SET #roles = :roles',
    ExpressionAttributeNames: { '#roles': 'roles' },
    ExpressionAttributeValues: { ':roles': { SS: ['ROLE_ADMIN'] } },
  })

  /** The messages in the queue; waits up to `seconds` for the first. */
  async function received(seconds = 0): Promise<readonly string[]> {
    const command = new ReceiveMessageCommand({ QueueUrl: queue, MaxNumberOfMessages: 10, WaitTimeSeconds: seconds })
    const { Messages: messages = [] } = await queues.send(command)
    return messages.map(({ Body: body = '' }) => body)
  }

  /** What a page tries against each port, wherever the browser thinks that the port is. */
  async function attack(address: (name: PortName, target?: string) => string): Promise<readonly string[]> {
    const forms: string[] = []
    for (const form of FORMS) forms.push(await learned(address('sqs'), blind(form, FORM)))
    return [
      ...forms,
      await learned(address('dynamodb'), aws('ListTables', {})),
      await learned(address('dynamodb'), aws('Scan', { TableName: USERS })),
      await learned(address('dynamodb'), aws('UpdateItem', promotion())),
      await learned(address('dynamodb'), aws('PutItem', MESSAGE)),
      await learned(address('sqs', '/_fauxqs/queues')),
      await learned(
        address('lambda', '/2015-03-31/functions/gatehouse-local-usersCreate/invocations'),
        blind(NEW_ADMIN),
      ),
      await learned(
        address('lambda', '/2014-11-13/functions/gatehouse-local-usersCreate/invoke-async/'),
        blind(NEW_ADMIN),
      ),
      await learned(address('http', '/webhooks/payment'), blind(PAYMENT)),
      await learned(address('http', '/%77ebhooks/payment'), blind(PAYMENT)),
      await learned(address('http', '/api/auth/login'), blind('username=admin&password=admin-demo', FORM)),
      await learned(address('http', '/login')),
      await learned(address('github', '/user')),
      await learned(address('google', '/.well-known/openid-configuration')),
      await learned(address('facebook', '/v23.0/me')),
    ]
  }

  it('E01, H30 of another origin reads nothing, changes no row, sends no message and invokes no function', async () => {
    const before = await stored()
    const answers = await attack(at)
    expect(answers.filter((answer) => !['refused', 'sent'].includes(answer))).toEqual([])
    expect(await stored()).toEqual(before)
    expect(await received(1)).toEqual([])
  })

  it('E01 that hides its origin in a sandboxed frame has no more access', async () => {
    const before = await stored()
    const script = [
      `fetch('${at('dynamodb')}', ${JSON.stringify(aws('UpdateItem', promotion()))})`,
      `fetch('${at('lambda', '/2015-03-31/functions/gatehouse-local-usersCreate/invocations')}', ${JSON.stringify(blind(NEW_ADMIN))})`,
      ...FORMS.map((form) => `fetch('${at('sqs')}', ${JSON.stringify(blind(form, FORM))})`),
      `fetch('${at('http', '/webhooks/payment')}', ${JSON.stringify(blind(PAYMENT))})`,
    ]
    const frame = `<script>Promise.allSettled([${script.join()}]).then(() => parent.postMessage('over', '*'))</script>`
    await page.evaluate(`new Promise((resolve) => {
      addEventListener('message', resolve, { once: true })
      const frame = Object.assign(document.createElement('iframe'), { srcdoc: ${JSON.stringify(frame).replaceAll('</', '<\\/')} })
      frame.sandbox = 'allow-scripts'
      document.body.append(frame)
    }).then(() => 'over')`)
    expect(await stored()).toEqual(before)
    expect(await received(1)).toEqual([])
  })

  it.each([
    ['lambda', '/2015-03-31/functions/gatehouse-local-usersCreate/invocations', NEW_ADMIN],
    ['http', '/webhooks/payment', PAYMENT],
  ] as const)('E01, H30 that posts a form to the port %s changes nothing', async (name, target, body) => {
    const before = await stored()
    // The text of a field and its value, with an equals sign between them, are the body.
    const [field = '', value = ''] = [body.slice(0, -1), ',"x":"']
    const script = `(() => {
      const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', action: '${at(name, target)}' })
      form.append(Object.assign(document.createElement('input'), { name: ${JSON.stringify(`${field}${value}`)}, value: '"}' }))
      document.body.append(form)
      form.submit()
    })()`
    const [answer] = await Promise.all([page.waitForResponse(at(name, target)), page.evaluate(script)])
    expect(answer.status()).toBe(403)
    expect(await stored()).toEqual(before)
  })

  it.each(['http', 'dynamodb', 'github'] as const)(
    'E02, H30 whose host name is rebound to this machine loads nothing from the port %s, reads nothing and changes nothing',
    async (name) => {
      const before = await stored()
      expect((await page.goto(`http://${EVIL}:${ports[name]}/`))?.status()).toBe(421)
      const answers = await attack((other, target = '/') => `http://${EVIL}:${ports[other]}${target}`)
      expect(answers.filter((answer) => !/^(?:refused|sent|421 )/.test(answer))).toEqual([])
      expect(await stored()).toEqual(before)
      expect(await received()).toEqual([])
    },
  )

  it('E03 does not reach the tables even at their hidden address', async () => {
    const { command = '' } =
      partsBelow(inject('servicePid')).find((part) => part.command.includes('dynoxide serve')) ?? {}
    const [, host = '', port = ''] = / --host (\S+) --port (\d+)/.exec(command) ?? []
    expect(host).not.toBe('127.0.0.1')
    const hidden = `http://${host}:${port}`
    expect(await learned(hidden, aws('ListTables', {}))).toBe('refused')
    const own = new DynamoDBClient({ ...SETTINGS, endpoint: hidden })
    const { Count: count } = await own.send(new ScanCommand({ TableName: USERS, Select: 'COUNT' }))
    expect(count).toBeGreaterThan(0)
  })

  it('is the only client that is refused: the SDK reads, changes and sends at the published ports, and forms reach the queue', async () => {
    const key = { TableName: USERS, Key: { uid: `NAME#${victim}` } }
    await tables.send(
      new UpdateCommand({
        ...key,
        UpdateExpression: 'SET note = :note',
        ExpressionAttributeValues: { ':note': 'by SDK' },
      }),
    )
    expect((await tables.send(new GetCommand(key))).Item).toMatchObject({ note: 'by SDK' })
    await queues.send(new SendMessageCommand({ QueueUrl: queue, MessageBody: 'by SDK' }))
    expect(await received(5)).toEqual(['by SDK'])
    for (const body of FORMS)
      expect((await fetch(at('sqs'), { method: 'POST', headers: { 'content-type': FORM }, body })).status).toBe(200)
    expect(await received(5)).toEqual([expect.stringContaining('forged')])
  })
})
