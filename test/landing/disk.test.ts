import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { keptSecrets } from '../../localstack/stack/secrets.ts'
import { canMount, fillDisk, WITH_READ_ONLY_DISK, withSmallDisk } from '../support/small-disk.ts'
import { freeOffset, localEnvironment, startStack, temporaryFolder } from '../support/stack.ts'

const BYTES = 32 * 1024 * 1024

const data = temporaryFolder()
afterAll(() => data.remove())

/** Runs `npm start` where it is expected to refuse. */
function refusedStart(environment: Readonly<Record<string, string>>, launcher: readonly string[] = []) {
  const [command = execPath, ...args] = [...launcher, execPath, 'localstack/start.ts', '--json']
  const options = { env: localEnvironment(environment), encoding: 'utf8', timeout: 60_000 } as const
  const { status, stdout, stderr } = spawnSync(command, args, options)
  return { status, stdout, stderr }
}

function post(http: string, eventId: string): Promise<Response> {
  const payment = { eventId, transactionId: eventId, orderId: 'o', status: 'COMPLETED', currency: 'EUR', amount: 1 }
  return fetch(`${http}/webhooks/payment`, { method: 'POST', body: JSON.stringify(payment) })
}

const messageOf = async (response: Response) => ((await response.json()) as { readonly message: string }).message

describe.runIf(canMount(data.path))('a disk that is', () => {
  it('full stores no webhook and loses none: 503 with Retry-After until there is space again', async () => {
    const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
    const stack = await startStack(environment, withSmallDisk(BYTES))
    const { http } = stack.ready
    expect((await post(http, 'before')).status).toBe(200)
    const ballast = fillDisk(stack.process.pid ?? 0, data.path)
    // What was still open may have room for one more.
    const acknowledged: string[] = []
    for (let index = 0; index < 20; index++)
      if ((await post(http, `full-${index}`)).ok) acknowledged.push(`full-${index}`)
    const refused = await post(http, 'after')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await messageOf(refused)).toBe('Service temporarily unavailable')
    expect(acknowledged.length).toBeLessThan(20)
    ballast.remove()
    await vi.waitUntil(async () => (await post(http, 'after')).ok, { timeout: 10_000, interval: 100 })
    for (const eventId of ['before', ...acknowledged, 'after']) {
      expect(await messageOf(await post(http, eventId)), eventId).toBe('Duplicate event ignored')
    }
    expect(await stack.stop()).toBe(0)
  })

  it('read-only is named in the error, and its data is unchanged', async () => {
    const kept = temporaryFolder()
    openDataFolder(kept.path).close()
    keptSecrets(join(kept.path, 'secrets.json'))
    const content = () => readdirSync(kept.path).map((name) => [name, readFileSync(join(kept.path, name), 'utf8')])
    const before = content()
    const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: kept.path }
    const { status, stdout, stderr } = refusedStart(environment, WITH_READ_ONLY_DISK)
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/read-?only.* DATA_DIR names another one\.\n$/)
    expect(stderr).toContain(`The data folder ${kept.path} cannot be used: `)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(content()).toEqual(before)
    kept.remove()
  })

  it('full from the beginning is named at the start', async () => {
    const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
    const { status, stdout, stderr } = refusedStart(environment, withSmallDisk(4096))
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain(data.path)
    expect(stderr).toMatch(/no space|full/i)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})
