import { describe, expect, inject, it, vi } from 'vitest'
import { command, type Ended } from '../support/command.ts'
import { eventDetail, payment, postPayment } from '../support/events.ts'

function replay(args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  return command('replay', [...(args.includes('--url') ? [] : ['--url', inject('http')]), ...args], environment)
}

const unique = () => `command-${crypto.randomUUID()}`

/** An event that fails however often it is run. */
async function deadEvent(eventId: string): Promise<void> {
  const stored = payment()
  await postPayment(stored)
  await postPayment({ ...stored, eventId, orderId: 'another-order', status: 'REFUNDED' })
  const isDead = async () => (await eventDetail('payment', eventId)).json.dead
  await vi.waitUntil(isDead, { timeout: 20_000, interval: 200 })
}

describe('npx gatehouse replay', () => {
  it('counts with --dry-run, and replays nothing', async () => {
    const eventId = unique()
    await deadEvent(eventId)
    expect(await replay(['--q', eventId, '--dry-run'])).toEqual({ code: 0, stdout: '1 event matches\n', stderr: '' })
    expect((await eventDetail('payment', eventId)).json.dead).toBe(true)
  })

  it('prints plain lines without a terminal, and ends with 3 when events failed again', async () => {
    const id = unique()
    await deadEvent(id)
    const { code, stdout } = await replay(['--q', id, '--id', id, '--reason', 'to see', '--rate', '50'])
    const lines = stdout.trim().split('\n')
    expect(lines[0]).toBe(`${id}: 1 event matches; it continues even if you stop watching`)
    expect(lines).toContain(`${id}  1/1  0 done  1 failed`)
    expect(lines.at(-1)).toBe(`${id} is done: 0 processed, 1 failed again`)
    expect(code).toBe(3)
    const { history } = (await eventDetail('payment', id)).json
    expect(history.map(({ by }: { by: string }) => by)).toContain(`operator admin: replay ${id}: to see`)
  })

  it('continues with the same --id, with and without its filter, and ends with 0 when nothing failed', async () => {
    const id = unique()
    const done = `${id} is done: 0 processed, 0 failed again\n`
    for (const args of [
      ['--q', id, '--id', id],
      ['--q', id, '--id', id],
      ['--id', id],
    ]) {
      const { code, stdout } = await replay(args)
      expect([code, stdout.endsWith(done)]).toEqual([0, true])
    }
    const other = await replay(['--q', 'another', '--id', id])
    expect(other).toMatchObject({
      code: 1,
      stderr: 'The service answers 409: Replay already exists with another content\n',
    })
  })

  it('lists the last replays with their filters and who ordered them', async () => {
    const id = unique()
    await replay(['--q', id, '--id', id, '--reason', 'to see'])
    const { code, stdout } = await replay(['--list'])
    const line = stdout.split('\n').find((text) => text.includes(`  ${id}  `))
    expect(code).toBe(0)
    expect(line).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+ {2}command-\S+ {2}DONE {2}0\/0 {2}0 done {2}0 failed {2}by admin: to see$/,
    )
  })

  it.each<[string, readonly string[], Record<string, string>, string]>([
    ['a wrong password', ['--user', 'admin'], { GATEHOUSE_PASSWORD: 'wrong' }, 'Invalid username or password'],
    ['a bad token', [], { GATEHOUSE_TOKEN: 'a.b.c' }, 'Invalid or expired JWT token'],
    ['a user', ['--user', 'user'], {}, "You don't have permission"],
    ['a bad filter', ['--from', 'yesterday'], {}, 'filter.from must be a date-time'],
    ['an unknown id', ['--id', 'nothing'], {}, 'Replay not found'],
  ])('ends with 1 and the reason: %s', async (_, args, environment, reason) => {
    const filter = args.includes('--id') ? [] : ['--q', 'x']
    const { code, stderr } = await replay([...filter, ...args], environment)
    expect(stderr).toContain(reason)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(code).toBe(1)
  })

  it('ends with 1 when nothing answers, and sends demo passwords to no other machine', async () => {
    const nobody = await replay(['--q', 'x', '--url', 'http://127.0.0.1:9'])
    expect(nobody).toMatchObject({
      code: 1,
      stderr: 'Nothing answers at http://127.0.0.1:9: start the service first.\n',
    })
    const elsewhere = await replay(['--q', 'x', '--url', 'http://api.example'])
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('Who asks?') })
  })

  it('suggests the source that was probably meant, and counts 0 for one that has no events', async () => {
    const stderr = 'There is no source paymnet: did you mean payment? (npx gatehouse replay --help shows more)\n'
    expect(await replay(['--source', 'paymnet'])).toEqual({ code: 2, stdout: '', stderr })
    const none = await replay(['--source', 'never-heard-of-it', '--dry-run'])
    expect(none).toMatchObject({ code: 0, stdout: '0 events match\n' })
  })

  it('ends with 2 and says in one line why its options are invalid', async () => {
    const stderr =
      'Name a filter, as --status FAILED, or the --id of a replay (npx gatehouse replay --help shows more)\n'
    expect(await replay(['--rate', '5'])).toEqual({ code: 2, stdout: '', stderr })
  })
})
