import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, env } from 'node:process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { command } from '../../test/support/command.ts'
import { SHORT_CUTS } from '../../test/support/short-cuts.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { AWS_FUNCTION, hasAwsTools, type Shell, startShell } from './restore/shell.ts'
import { type RestoreStandIn, startRestores, type TableSettings } from './restore/stand-in.ts'

const PAGE = readFileSync('docs/operations.md', 'utf8')
const SECTION = /^## A table restored\n(.*?)^## /ms.exec(PAGE)?.[1] ?? ''
const BLOCKS = [...SECTION.matchAll(/^```sh \((.*?)\)\n(.*?)^```/gms)].map(([, how, commands = '']) => ({
  how,
  commands,
}))
const [LOOK, STOP, BACK_UP, REPLACE, SETTINGS, GO_ON] = BLOCKS.map(({ commands }) => commands) as [
  string,
  ...(readonly string[]),
]
const AT = new Date(/ AT=(\S+)/.exec(LOOK)?.[1] ?? '')
const LATER = new Date(AT.getTime() + 3_600_000)
const TABLES = ['events', 'payments', 'orders']

interface Template {
  readonly Resources: Readonly<Record<string, { readonly Properties: TableProperties }>>
}

interface TableProperties {
  readonly TableName: string
  readonly TimeToLiveSpecification?: { readonly AttributeName: string }
  readonly PointInTimeRecoverySpecification?: object
  readonly SSESpecification?: object
}

/** The tables of a stage whose data is kept, right after its deployment. */
function deployed(): Map<string, TableSettings> {
  const text = readFileSync('infra/resources/tables.yml', 'utf8')
  const { Resources } = parse(text.replaceAll(/\$\{self:custom\.tables\.(\w+)\}/g, 'gatehouse-prod-$1')) as Template
  return new Map(
    Object.values(Resources).map(({ Properties: table }) => [
      table.TableName,
      {
        isProtected: true,
        recoverableFrom: table.PointInTimeRecoverySpecification && 0,
        timeToLive: table.TimeToLiveSpecification?.AttributeName,
        hasKmsKey: table.SSESpecification !== undefined,
      },
    ]),
  )
}

/** A stage has some ninety: each takes AWS's command line a second or two, twice. */
const OWN = ['publicHello', 'retryScan'].map((name) => `gatehouse-prod-${name}`)
const OF_ANOTHER_STAGE = 'gatehouse-production-publicHello'

/** Each command of AWS's command line is a process of its own. */
const PATIENT = { timeout: 600_000 }

const data = temporaryFolder()
let stage: Stack
let settings: Record<string, string>
let aws: RestoreStandIn
let shell: Shell

describe.skipIf(!hasAwsTools())('tables restored, by somebody who follows docs/operations.md', () => {
  beforeAll(async () => {
    settings = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
    stage = await startStack(settings)
    aws = await startRestores(stage.ready, deployed(), [...OWN, OF_ANOTHER_STAGE])
    const environment = {
      PATH: `${join(cwd(), 'node_modules/.bin')}:${env['PATH']}`,
      HOME: env['HOME'],
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL: aws.url,
    }
    shell = startShell(cwd(), environment, `${SHORT_CUTS}\n${AWS_FUNCTION}`)
  })

  afterAll(async () => {
    shell?.stop()
    await aws?.stop()
    await stage?.stop()
    data.remove()
  })

  const payment = (eventId: string, status: string) => {
    const body = { eventId, transactionId: 'tx-1', orderId: 'o-1', status, amount: '10.00', currency: 'EUR' }
    return post('/webhooks/payment', JSON.stringify(body))
  }
  const post = async (path: string, body: string | URLSearchParams) => {
    const response = await fetch(`${stage.ready.http}${path}`, { method: 'POST', body })
    return { status: response.status, json: await response.json() }
  }
  /** Signed, under an id of its own. */
  const order = async (eventId: string, status: string, timestamp: string) => {
    const values = { eventId, orderId: 'o-1', timestamp }
    const set = Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    expect(await command('send', ['order-status', status, ...set], settings)).toMatchObject({ code: 0 })
  }
  const login = async () => {
    const { username = '', password = '' } = stage.ready.users.find(({ role }) => role === 'ROLE_ADMIN') ?? {}
    const { json } = await post('/api/auth/login', new URLSearchParams({ username, password }))
    return (json as { readonly token: string }).token
  }
  const eventStatus = async (source: string, eventId: string) => {
    const headers = { authorization: `Bearer ${await login()}` }
    return (await fetch(`${stage.ready.http}/api/webhooks/events/${source}/${eventId}`, { headers })).status
  }
  /** The status of the one payment and of the one order, as a table has them. */
  const shown = async (suffix = '') => {
    const status = async (table: string) => {
      const query = `--query 'Items[].status.S' --output text`
      return (await shell.run(`aws dynamodb scan --table-name gatehouse-$STAGE-${table}${suffix} ${query}`)).trim()
    }
    return [await status('payments'), await status('orders')]
  }

  it('every block of the section is run in this test', () => {
    expect(BLOCKS.map(({ how }) => how)).toEqual(Array.from({ length: 6 }, () => 'against a stand-in'))
  })

  it('look: the copies equal the tables of that time, and the service continues', async () => {
    await payment('e-1', 'COMPLETED')
    await order('s-1', 'CONFIRMED', '2026-11-21T06:00:00Z')
    await aws.reach(AT)
    await payment('e-2', 'REFUNDED')
    await order('s-2', 'SHIPPED', '2026-11-21T07:30:00Z')
    await aws.reach(LATER)
    await shell.run(LOOK)
    expect(await shown('-restored')).toEqual(['COMPLETED', 'CONFIRMED'])
    expect(await shown()).toEqual(['REFUNDED', 'SHIPPED'])
  })

  it('a table without point-in-time recovery cannot be restored', async () => {
    await expect(shell.run(LOOK.replace(/TABLES="[^"]*"/, 'TABLES=sessions'))).rejects.toThrow(
      'PointInTimeRecoveryUnavailableException',
    )
    await shell.run('TABLES="events payments orders"')
  })

  it('switch: nothing writes while the tables are replaced, and each has its deployed settings', PATIENT, async () => {
    await shell.run(STOP ?? '')
    expect(aws.running()).toEqual([OF_ANOTHER_STAGE])
    await shell.run(BACK_UP ?? '')
    await shell.run(REPLACE ?? '')
    await shell.run(SETTINGS ?? '')
    await shell.run(GO_ON ?? '')
    expect(new Set(aws.writers)).toEqual(new Set([OF_ANOTHER_STAGE]))
    expect(aws.running()).toEqual([...OWN, OF_ANOTHER_STAGE])
    const wanted = deployed()
    for (const name of TABLES) {
      const table = `gatehouse-prod-${name}`
      expect(aws.settings.get(table), name).toEqual({ ...wanted.get(table), recoverableFrom: LATER.getTime() })
    }
    expect([...aws.settings.keys()].toSorted()).toEqual([...wanted.keys()].toSorted())
  })

  it('the service answers, and later events are gone', async () => {
    expect(await shown()).toEqual(['COMPLETED', 'CONFIRMED'])
    expect([await eventStatus('payment', 'e-1'), await eventStatus('payment', 'e-2')]).toEqual([200, 404])
    expect([await eventStatus('order-status', 's-1'), await eventStatus('order-status', 's-2')]).toEqual([200, 404])
  })

  it('a lost event that is sent again is new, and a restored one is a duplicate', async () => {
    expect(await payment('e-1', 'COMPLETED')).toMatchObject({
      status: 200,
      json: { message: 'Duplicate event ignored' },
    })
    expect(await payment('e-2', 'REFUNDED')).toMatchObject({
      status: 200,
      json: { message: 'Webhook processed successfully' },
    })
    await order('s-2', 'SHIPPED', '2026-11-21T07:30:00Z')
    expect(await shown()).toEqual(['REFUNDED', 'SHIPPED'])
  })
})
