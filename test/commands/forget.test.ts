import { randomUUID } from 'node:crypto'
import { describe, expect, inject, it } from 'vitest'
import { call } from '../support/client.ts'
import { command } from '../support/command.ts'
import { eventDetail, genericSignature, postJson } from '../support/events.ts'

/** An event of the sender `demo` with a text in its body. */
async function stored(text = `canary-${randomUUID()}@example.com`) {
  const eventId = randomUUID()
  const body = `{"eventId":"${eventId}","eventType":"note","text":"${text}"}`
  const headers = genericSignature(body, undefined, 'demo')
  expect((await call('/webhooks/demo', postJson(body, headers))).status).toBe(200)
  return { eventId }
}

function forget(args: readonly string[]) {
  return command('forget', ['--url', inject('http'), '--source', 'demo', ...args])
}

describe('npx gatehouse forget', () => {
  it('lists the events that contain a text, and deletes only with --delete', async () => {
    const person = `ada.${randomUUID()}@example.com`
    const { eventId } = await stored(person.replace('@', '\\u0040'))
    const other = await stored()
    const dry = await forget(['--text', person.toUpperCase()])
    expect(dry.code).toBe(0)
    expect(dry.stdout).toMatch(
      new RegExp(`^demo  ${eventId}  \\S+  .*\\n1 events hold the text in payload or headers\\n`),
    )
    expect(dry.stderr).toMatch(/events looked at, 1 with the text\n$/)
    expect((await eventDetail('demo', eventId)).json.payload).not.toBeNull()
    const done = await forget(['--text', person, '--delete'])
    expect([done.code, done.stdout.endsWith('1 payloads deleted, 0 not\n')]).toEqual([0, true])
    expect((await eventDetail('demo', eventId)).json.payload).toBeNull()
    expect((await eventDetail('demo', other.eventId)).json.payload).not.toBeNull()
    expect((await forget(['--text', person])).stdout).toContain('0 events hold the text in payload or headers\n')
  })

  it.each<[string, readonly string[], number, string]>([
    ['no text', [], 2, 'Name a --text of at least 3 characters'],
    ['a bad time', ['--text', 'ada', '--from', 'yesterday'], 1, 'from must be a date-time'],
    ['nobody', ['--text', 'ada', '--user', 'eve'], 1, 'Who asks?'],
  ])('names the error in one line: %s', async (_, args, exit, reason) => {
    const { code, stderr } = await forget(args)
    expect(code).toBe(exit)
    expect(stderr).toContain(reason)
    expect(stderr).not.toMatch(/^\s+at /m)
  })
})
