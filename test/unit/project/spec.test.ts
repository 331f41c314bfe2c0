import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ADVERSE_CHECKS, CHECKS, HASTY_CHECKS } from '../../spec/all-checks.ts'
import { PROFILES } from '../../spec/profiles.ts'
import type { Sentence, Untestable } from '../../spec/sentence.ts'
import { SENTENCES, type TestableId } from '../../spec/sentences.ts'

/**
 * SHA-256 of each part as the specification has it: tables without their heads and outer bars, rules without their
 * numbers, "Rules:", "Rules for payment webhooks:" and "Webhook signature verification:" left out as headings are, all
 * white space as one blank.
 */
const PARTS = {
  '1.3': '0298a8b375e0e1c0d667f5c9a3ebef07ae20a68f28ae6eaf2a7a731388f5963a',
  '3.1': 'b6b23592aad3055708747940900a65d0acc3c5f1447dd106733d28c6593594cc',
  '3.2': '1d2eea15bad27a31f885f69a89cd74876427ceb8c8c21f0f9b52cd5f9cab07fc',
  '3.3': 'b51bb6406f6c85ce872a7fa5caa74ed5d757e788237962be9caeeb41eb3fb222',
  '4': 'd0a7e6852a9a42ff2ada1387aef38a26185db88cbc17ecf9aeb7e63a0d9441c3',
  '4.1': '579d2d9e2cc9b863bdbe6aa3e3d2e783f50e56a7a5124c911a2be5611306d6b1',
  '4.2': '62031fb5d7be5b8b04b5dbea1997a3dd506438cf13f9e7f419aa2c30c0c6e49c',
  '5': 'd69e54f41184d3229ba560406c8ccaa8d44925ce8b814f55ef2cac15c9d0b3bc',
  '6': '6c67a37ba1b4348a85db988f4bd4a81fd3b8084276849ac6685545cb3cf3f07e',
  '7': 'b9d4b1354854b1b3e487c21086406fc6fc03d060463b8b2befaf51574e610dde',
  '8': 'd442d5785727bf5b89e4ba04544ab36af40f0d9a7804aeebbc26fd628643573a',
}

const tested: Readonly<Record<TestableId, unknown>> = { ...CHECKS, ...ADVERSE_CHECKS, ...HASTY_CHECKS }
const sentences = Object.entries<Sentence | Untestable>(SENTENCES)
const partOf = (id: string) => id.slice(0, id.indexOf('/'))

it.each([
  ...PROFILES.map((profile) => [profile, `inProfile('${profile}')`]),
  ['default-adverse', "inAdversity('default')"],
  ['default-hasty', "inHaste('default')"],
])('%s has its tests', (name, call) => {
  expect(readFileSync(`test/spec/${name}.test.ts`, 'utf8')).toContain(call)
})

describe('the sentences of the specification', () => {
  it.each(Object.entries(PARTS))('part %s is complete and unchanged', (part, digest) => {
    const text = sentences.filter(([id]) => partOf(id) === part).map(([, sentence]) => sentence.text)
    expect(createHash('sha256').update(text.join(' ')).digest('hex')).toBe(digest)
  })

  it('belong to these parts', () => {
    expect(new Set(sentences.map(([id]) => partOf(id)))).toEqual(new Set(Object.keys(PARTS)))
  })

  it.each(sentences)('%s has a test, or a reason why not', (id, sentence) => {
    if ('reason' in sentence) expect(sentence.reason).toMatch(/^[A-Z].+\.$/)
    else expect(tested).toHaveProperty([id], expect.any(Function))
  })

  it('have a test, with few exceptions', () => {
    const without = sentences.filter(([, sentence]) => 'reason' in sentence).map(([id]) => id)
    expect(without).toEqual(['6/outbound'])
  })

  it('belong to the profiles that their rows name', () => {
    const wanted = { all: PROFILES, 'not shown': PROFILES, jdbc: ['default', 'jdbc'], ldap: ['default', 'ldap'] }
    const profilesOf: Readonly<Record<string, readonly string[]>> = { ...wanted, oauth2: ['default', 'oauth2'] }
    for (const [id, sentence] of sentences.filter(([, row]) => 'profiles' in row)) {
      const { text, profiles } = sentence as Sentence
      expect(profiles.length, id).toBeGreaterThan(0)
      const [, , , , column = ''] = partOf(id) === '4.1' ? text.split(' | ') : []
      if (column !== '') expect(profiles, id).toEqual(profilesOf[column])
    }
  })
})
