import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LAMBDA_ENVIRONMENT } from '../../test/support/lambda-environment.ts'

/** What SQS answers to a message `{}`; an item of DynamoDB is in it as little. */
const SENT = JSON.stringify({ MessageId: 'm', MD5OfMessageBody: createHash('md5').update('{}').digest('hex') })

const MODULES = globSync('lib/app/*.ts').map((file) => `./${file}`)

/** What a fresh process says that has run a script, in which `report` is at hand. */
async function inFreshProcess<T>(script: string, env: Readonly<Record<string, string>>): Promise<T> {
  const code = `
    import { syncBuiltinESMExports } from 'node:module'
    const report = (value) => process.stdout.write('\\n' + JSON.stringify(value))
    ${script}`
  const { stdout } = await promisify(execFile)(execPath, ['--input-type=module', '--eval', code], { env })
  return JSON.parse(stdout.split('\n').at(-1) ?? '')
}

describe('an import', () => {
  it('reads no setting and opens nothing', async () => {
    const found = await inFreshProcess<Readonly<Record<'imported' | 'made' | 'open', readonly string[]>>>(
      `
      const read = []
      process.env = new Proxy(process.env, { get: (env, name) => (read.push(name), env[name]) })
      syncBuiltinESMExports()
      for (const module of ${JSON.stringify(MODULES)}) await import(module)
      const open = process.getActiveResourcesInfo()
      const imported = read.splice(0)
      await import('./lib/app/edge.ts').then(({ makePublic }) => makePublic())
      report({ imported, made: read, open })`,
      LAMBDA_ENVIRONMENT,
    )
    expect(found.made).toContain('BASE_URL')
    const ours = Object.keys(LAMBDA_ENVIRONMENT).filter((name) => !name.startsWith('POWERTOOLS'))
    expect(found.imported.filter((name) => ours.includes(name))).toEqual([])
    expect(found.open.filter((kind) => kind !== 'PipeWrap')).toEqual([])
  })
})

describe('a composition', () => {
  it('makes no request except one that opens a connection, and two compositions share one client of each service', async () => {
    const services: string[] = []
    const aws = createServer((request, answer) => {
      services.push(String(request.headers['x-amz-target']).replace(/[._].*/s, ''))
      answer.end(SENT)
    }).listen(0, '127.0.0.1')
    await once(aws, 'listening')
    let connections = 0
    aws.on('connection', () => connections++)
    const AWS_ENDPOINT_URL = `http://127.0.0.1:${(aws.address() as AddressInfo).port}`
    await inFreshProcess(
      `
      const { COMPOSERS, ENVIRONMENT, setSettings } = await import('./test/support/composers.ts')
      const settings = { ...ENVIRONMENT, ...process.env }
      for (const { make, wrong } of Object.values(COMPOSERS)) {
        setSettings(settings)
        await make()
        setSettings({ ...settings, ...wrong })
        await Promise.try(make).catch(() => undefined)
      }
      setSettings(settings)
      const { make } = COMPOSERS.makeReplays
      for (const { replays, replayQueue } of [await make(), await make()]) {
        await replays.find('id')
        await replayQueue.send({}, 0)
      }
      report('done')
      process.exit()`,
      { ...LAMBDA_ENVIRONMENT, AWS_ENDPOINT_URL },
    )
    aws.close()
    expect(services).toEqual(['DynamoDB', 'DynamoDB', 'AmazonSQS', 'DynamoDB', 'AmazonSQS'])
    expect(connections).toBe(2)
  })
})
