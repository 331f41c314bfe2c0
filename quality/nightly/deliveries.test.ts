import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { copyProject } from '../../test/support/copy-project.ts'
import { freePort } from '../../test/support/free-port.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const ACCOUNT = '000000000000'

const GUIDE = readFileSync('docs/guide/deliver.md', 'utf8')

/** A block of code of the guide, its receiver on another port. */
function ofGuide(file: string, port: number): string {
  const [, code = ''] = new RegExp(`^\`\`\`\\w+ ${file}\\n(.+?)^\`\`\``, 'ms').exec(GUIDE) ?? []
  return code.replace('4000', String(port))
}

/** The guide's configuration, with a queue and a bus. */
function configOf(guidePort: number): string {
  const more = `
    ledger: { to: 'sqs', queue: 'arn:aws:sqs:eu-central-1:${ACCOUNT}:ledger.fifo', group: 'currency', from: { shopify: ['**'] } },
    bus: { to: 'eventbridge', bus: 'arn:aws:events:eu-central-1:${ACCOUNT}:event-bus/orders', from: { '*': ['orders/*'] } },`
  return ofGuide('gatehouse.config.ts', guidePort).replace('destinations: {', `destinations: {${more}`)
}

const folder = temporaryFolder()
let stack: Stack
let environment: Record<string, string>

beforeAll(async () => {
  copyProject(process.cwd(), folder.path)
  const port = await freePort()
  writeFileSync(join(folder.path, 'gatehouse.config.ts'), configOf(port))
  writeFileSync(join(folder.path, 'receiver.mjs'), ofGuide('receiver.mjs', port))
  environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: join(folder.path, '.data') }
  stack = await startStack(environment, ['env', '-C', folder.path])
}, 240_000)

afterAll(async () => {
  await stack?.stop()
  folder.remove()
})

const until = <T>(what: () => T | Promise<T>) => vi.waitUntil(what, { timeout: 90_000, interval: 50 })

/** What `npm run send` prints, by its own words: the id first. */
function send(...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(execPath, ['localstack/commands/send.ts', ...args], {
    cwd: folder.path,
    env: localEnvironment(environment),
    encoding: 'utf8',
  })
  expect(status, stderr).toBe(0)
  return stdout.split(' ', 1)[0] ?? ''
}

it("the guide's receiver receives the guide's event and verifies it", async () => {
  const receiver = spawn(execPath, ['receiver.mjs'], { cwd: folder.path, stdio: ['ignore', 'pipe', 'inherit'] })
  const printed: string[] = []
  createInterface({ input: receiver.stdout }).on('line', (line) => printed.push(line))
  const event = send('shopify', 'orders/paid')
  await until(() => printed.some((line) => /^orders\/paid gh_\d+ verified, id /.test(line) && line.endsWith(event)))
  receiver.kill()
})

it('an event that is sent is in the queue, in the message group that its body names, and on the bus', async () => {
  const event = send('shopify', 'orders/paid')
  const client = new SQSClient({
    endpoint: stack.ready.sqs ?? '',
    region: 'eu-central-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  })
  const queueUrl = `${stack.ready.sqs}/${ACCOUNT}/ledger.fifo`
  const receive = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: 10,
    WaitTimeSeconds: 1,
    MessageSystemAttributeNames: ['MessageGroupId'],
  })
  const found = await until(async () => {
    const { Messages: messages = [] } = await client.send(receive)
    // A group stays locked as long as one of its messages is under way.
    for (const { ReceiptHandle: handle } of messages) {
      await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: handle }))
    }
    return messages.find(({ Body: text }) => JSON.parse(text ?? '').eventId === event)
  })
  const envelope = JSON.parse(found.Body ?? '')
  expect(envelope).toMatchObject({ source: 'shopify', type: 'orders/paid', eventId: event })
  expect(found.Attributes?.MessageGroupId).toBe(JSON.parse(envelope.body).currency)
  client.destroy()
  const bus = `http://127.0.0.1:${4010 + Number(environment['PORT_OFFSET'])}/_kept`
  await until(async () => (await (await fetch(bus)).text()).includes(event))
})
