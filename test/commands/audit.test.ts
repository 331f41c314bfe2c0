import { randomUUID } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { bearer, type Call, call, form } from '../support/client.ts'
import { command, type Ended } from '../support/command.ts'
import { postJson } from '../support/events.ts'

const SECRET = `canary-${randomUUID()}`
const name = `audit${randomUUID().slice(0, 8)}`
let userId = ''

async function asAdmin(path: string, request: Call) {
  const { headers } = bearer(await tokenOf('admin'))
  return call(path, { ...request, headers: { ...request.headers, ...headers } })
}

beforeAll(async () => {
  const user = { username: name, password: `a password ${randomUUID()}`, role: 'ROLE_USER' }
  userId = (await asAdmin('/api/users', postJson(user))).json.id
  await call('/api/auth/login', form({ username: SECRET, password: SECRET }))
  await asAdmin(`/api/users/${userId}`, { method: 'DELETE' })
})

describe('npm run audit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-audit-'))
  const port = { PORT_OFFSET: String(Number(new URL(inject('http')).port) - 3000) }
  afterAll(() => rmSync(folder, { recursive: true }))

  const audit = (args: string, settings: Record<string, string> = {}): Promise<Ended> =>
    command('audit', args.split(' '), {
      ...port,
      DATA_DIR: inject('ready').data,
      AUDIT_KEYS: inject('auditKeys'),
      AWS_ENDPOINT_URL: inject('awsEndpoint'),
      ...settings,
    })

  /** Verifies a copy of the trail, its lines changed, beside the heads of the running service. */
  async function verifyChanged(change: (lines: string[]) => string[]): Promise<Ended> {
    const { code, stdout } = await audit('list --json')
    expect(code).toBe(0)
    copyFileSync(join(inject('ready').data, 'secrets.json'), join(folder, 'secrets.json'))
    writeFileSync(
      join(folder, 'audit.log'),
      change(stdout.trimEnd().split('\n'))
        .map((line) => `${line}\n`)
        .join(''),
    )
    const { dynamodb } = inject('ready')
    return audit('verify', { DATA_DIR: folder, AWS_ENDPOINT_URL: '', AWS_ENDPOINT_URL_DYNAMODB: dynamodb })
  }

  /** The lines of the user who was deleted: nobody writes to that place any more. */
  const placeOf = (lines: readonly string[]) => lines.findIndex((line) => line.includes(name))

  it('reports the trail of the running service as complete', async () => {
    const { code, stdout } = await audit('verify')
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^whole: \d+ lines in \d+ chains/)])
    const { stdout: json } = await audit('verify --json')
    expect(JSON.parse(json)).toMatchObject({ whole: true, headsRead: true, findings: [] })
  })

  it('A05 names a line that was changed, with exit code 1', async () => {
    let place = { chain: '', seq: 0 }
    const { code, stdout } = await verifyChanged((lines) => {
      const index = placeOf(lines)
      place = JSON.parse(lines[index] ?? '')
      return lines.with(index, (lines[index] ?? '').replace(name, 'nobody'))
    })
    expect(code).toBe(1)
    expect(stdout).toContain(
      `chain ${place.chain}, number ${place.seq}: was changed, or made by somebody without the key`,
    )
  })

  it('A04 names a chain whose last line was removed', async () => {
    let removed = { chain: '', seq: 0 }
    const { code, stdout } = await verifyChanged((lines) => {
      const last = lines.findLastIndex((line) => line.includes(userId) && line.includes('user.deleted'))
      removed = JSON.parse(lines[last] ?? '')
      return lines.toSpliced(last, 1)
    })
    expect(code).toBe(1)
    // Other tests write on, before the copy is made and while it is verified: another line may follow, or several be missing.
    const missing = new RegExp(
      `^(?:line \\d+, )?chain ${removed.chain}, .* lines? (\\d+)(?: to (\\d+))? (?:is|are) missing$`,
      'gm',
    )
    const gaps = [...stdout.matchAll(missing)].map(([, from, to = from]) => [Number(from), Number(to)])
    expect(gaps).toContainEqual([removed.seq, expect.any(Number)])
  })

  it('reports without a running service that the ends of the chains are unknown, and verifies the rest on request', async () => {
    const nowhere = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' }
    const { code, stdout, stderr } = await audit('verify', nowhere)
    expect([code, stdout]).toEqual([1, expect.stringContaining('nothing says where the chains end')])
    expect(stderr).toContain('only while npm start runs')
    expect((await audit('verify --without-heads', nowhere)).code).toBe(0)
  })

  it('lists the trail as readable text', async () => {
    const { code, stdout } = await audit('list')
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^\\S+Z  user\\.created +admin  127\\.0\\.0\\.1  ${name} ROLE_USER$`, 'm'))
    expect(stdout).not.toContain(SECRET)
  })
})
