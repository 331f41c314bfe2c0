import { describe, expect, it } from 'vitest'
import type { TrailEntry } from '../../../lib/trail/entry.ts'
import { nameHashOf } from '../../../lib/trail/keys.ts'
import { isSealed, readLine, sealLine } from '../../../lib/trail/line.ts'
import { START } from '../../support/fakes/clock.ts'
import { ENTRY, TRAIL_KEY } from '../../support/trail.ts'

const PLACE = { chain: 'chain-1', seq: 1, at: START, prev: '' }

const read = (text: string) => readLine(text) ?? expect.fail('no line')

describe('a line', () => {
  it('is one of JSON, sealed by HMAC-SHA-256 under a key of HKDF-SHA-256, as computed with Python', () => {
    expect(sealLine(PLACE, ENTRY, TRAIL_KEY).text).toBe(
      '{"chain":"chain-1","seq":1,"at":"2026-01-02T03:04:05.000Z","action":"user.created","uid":"id-1","user":"Ada","authType":"JWT","from":"192.0.2.1","requestId":"r-1","target":{"username":"bob"},"kid":"k1","prev":"","mac":"IMrfYNPUNp2gYa6kQwxDA49cN_ROT3nFZRsyMHhlFJo"}',
    )
  })

  it('names the chain before its own, and has no undeclared member', () => {
    const entry = { ...ENTRY, password: 'secret' }
    const { members } = read(sealLine({ ...PLACE, after: 'chain-0' }, entry, TRAIL_KEY).text)
    expect(members).toMatchObject({ after: 'chain-0', user: 'Ada' })
    expect(Object.keys(members)).not.toContain('password')
  })

  it('has each member of what was done: who, how, from where, the object, and why it was refused', () => {
    const whole: Required<TrailEntry> = {
      ...ENTRY,
      action: 'login.refused',
      outcome: 'BAD_CREDENTIALS',
      method: 'basic',
      uid: 'id-1',
      user: 'Ada',
      authType: 'JWT',
      apiKey: 'k-1',
      nameHash: 'h-1',
      requestId: 'r-1',
      target: { username: 'bob' },
    }
    expect(read(sealLine(PLACE, whole, TRAIL_KEY).text).members).toMatchObject(whole)
  })

  it('stays one line, without terminal control characters, and with a length that any store accepts', () => {
    const hostile = `\u001b[2J\n\u2028\u202e\ud800"},"mac":"${'x'.repeat(10_000)}`
    const { text } = sealLine(PLACE, { ...ENTRY, user: hostile, target: { a: hostile } }, TRAIL_KEY)
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text.length).toBeLessThan(2500)
    expect(isSealed(read(text), [TRAIL_KEY])).toBe(true)
  })

  it.each([
    ['another key of that name', [{ kid: 'k1', secret: new Uint8Array(32) }], false],
    ['a ring without its key', [{ ...TRAIL_KEY, kid: 'k2' }], undefined],
    ['a ring with its key after another', [{ kid: 'k2', secret: new Uint8Array(32) }, TRAIL_KEY], true],
  ])('is judged by %s', (_, keys, expected) => {
    expect(isSealed(read(sealLine(PLACE, ENTRY, TRAIL_KEY).text), keys)).toBe(expected)
  })

  it('A05 is not authentic after a change of any byte', () => {
    const { text } = sealLine(PLACE, ENTRY, TRAIL_KEY)
    for (let index = 0; index < text.length; index++) {
      const code = String.fromCharCode(text.charCodeAt(index) ^ 1)
      const line = readLine(`${text.slice(0, index)}${code}${text.slice(index + 1)}`)
      expect(line && isSealed(line, [TRAIL_KEY]), `byte ${index}`).not.toBe(true)
    }
  })

  it.each(['', 'text', '{}', '[]', 'null', '{"chain":"a","seq":0,"mac":"x"}', `{"seq":1,"mac":"${'x'.repeat(43)}"}`])(
    'is not %j',
    (text) => {
      expect(readLine(text)).toBeUndefined()
    },
  )
})

describe('A02 the hash of a name', () => {
  it('is keyed, as computed with Python, and the same in any case', () => {
    expect(nameHashOf(TRAIL_KEY, 'ALICE')).toBe('BLkleg6sCO7evnQ7So7y6pChR4Ytkjbxfn2bbTh0gTU')
    expect(nameHashOf(TRAIL_KEY, 'alice')).toBe(nameHashOf(TRAIL_KEY, 'Alice'))
  })

  it('differs by name and by key, and is one for all texts that are nobody’s name', () => {
    const other = { kid: 'k1', secret: new Uint8Array(32) }
    const long = 'x'.repeat(300)
    const hashes = [nameHashOf(TRAIL_KEY, 'bob'), nameHashOf(other, 'bob'), nameHashOf(TRAIL_KEY, long)]
    expect(new Set(hashes).size).toBe(3)
    for (const name of ['', `${long}y`]) expect(nameHashOf(TRAIL_KEY, name)).toBe(hashes[2])
  })
})
