import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SourceConfig } from '../../../../lib/config.ts'
import { readConfig } from '../../../../lib/deliver/configured/read.ts'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { catalogFrom } from '../../../../lib/webhooks/sources/catalog.ts'
import { inFull } from '../../../support/full-runs.ts'

const HMAC = { kind: 'hmac', header: 'X-Signature' }

const problemsOf = (config: unknown) => readConfig(config).problems ?? []
const wrongIn = (source: unknown, name = 'acme') => problemsOf({ sources: { [name]: source } })

describe('a configuration', () => {
  it.each([
    ['nothing', {}],
    ['a preset', { sources: { 'stripe-eu': { preset: 'stripe' } } }],
    ['a time in which calls are expected', { sources: { stripe: { preset: 'stripe', expectEvery: '2h' } } }],
    ['the minimum of a source', { sources: { acme: { proof: HMAC } } }],
  ])('may have %s', (_, config) => {
    expect(problemsOf(config)).toEqual([])
  })

  it.each([
    ['null', null, 'the configuration: must be an object'],
    ['a list', [], 'the configuration: must be an object'],
    ['an unknown field', { source: {} }, 'the configuration: has unknown fields: "source"'],
    ['sources that are a list', { sources: [{}] }, 'sources: must be an object'],
  ])('is refused as %s', (_, config, problem) => {
    expect(problemsOf(config)).toEqual([problem])
  })

  it.each([
    ['Acme', 'sources.Acme: as a name, must begin with a-z or 0-9 and have at most 64 of a-z, 0-9, . _ -'],
    ['a'.repeat(65), /^sources\."a{64}": as a name, must begin/],
    [
      'payment',
      "sources.payment: as a name, is known already: add preset: 'payment' for its settings, or choose another one",
    ],
    ['gatehouse', 'sources.gatehouse: as a name, is that of what the service says of itself'],
    ['acme.verify', 'sources."acme.verify": as a name, must not end in .verify, which a path never has'],
    [
      'slack',
      "sources.slack: as a name, is known already: add preset: 'slack' for its settings, or choose another one",
    ],
  ])('has no source named %s', (name, problem) => {
    expect(wrongIn({ proof: HMAC }, name)).toEqual([expect.stringMatching(problem)])
  })

  it('may hand a token over, if it is configured, or of a provider that does', () => {
    expect(wrongIn({ proof: HMAC, setup: 'token' }, 'acme')).toEqual([])
    expect(wrongIn({ preset: 'notion', setup: 'token' }, 'notion-eu')).toEqual([])
    expect(wrongIn({ proof: HMAC, setup: 'header' }, 'acme')).toEqual(["sources.acme.setup: must be 'token' or absent"])
    expect(wrongIn({ preset: 'zoom', setup: 'token' }, 'zoom-eu')).toEqual([
      'sources.zoom-eu.setup: does not fit zoom: its calls hand no token over',
    ])
  })

  it('takes for a provider with an endpoint of its own only its limits and the time in which calls are expected', () => {
    expect(
      wrongIn({ preset: 'github', expectEvery: '2h', toleranceSeconds: 9, rateLimitPerMinute: 5 }, 'github'),
    ).toEqual([
      'sources.github: has an endpoint of its own and takes only expectEvery, rateLimitPerMinute, maxBodyBytes, not toleranceSeconds',
    ])
    expect(wrongIn({ preset: 'zoom', expectEvery: '2h' }, 'stripe')).toEqual([
      'sources.stripe.preset: must be stripe, because the name is that of this provider',
    ])
    expect(wrongIn({ preset: 'zoom', expectEvery: '2h' }, 'payment')).toEqual([
      'sources.payment.preset: must be payment, because the name is that of this provider',
    ])
    const limits = { rateLimitPerMinute: 600, maxBodyBytes: 1000 }
    for (const name of ['payment', 'order-status', 'stripe', 'github'])
      expect(wrongIn({ preset: name, ...limits }, name)).toEqual([])
  })

  it.each(['payment', 'order-status'])('has no second account of %s', (preset) => {
    expect(wrongIn({ preset }, 'acme')).toEqual(['sources.acme.preset: must be the name of a provider'])
  })

  it.each(['10m', '90m', '2h', '168h', '7d'])('may expect a call in %s', (expectEvery) => {
    expect(wrongIn({ proof: HMAC, expectEvery })).toEqual([])
  })

  it.each(['9m', '169h', '8d', '2H', '2 h', '1.5h', '0h', '-2h', '1w', '', 'h', '010m', 7200, null])(
    'cannot expect a call in %j',
    (expectEvery) => {
      expect(wrongIn({ proof: HMAC, expectEvery })).toEqual([
        'sources.acme.expectEvery: must be a time from 10m to 7d, such as 2h',
      ])
    },
  )

  it.each<[Record<string, unknown>, string]>([
    [{ preset: 'strype' }, 'preset: must be the name of a provider'],
    [{ preset: 'stripe', proof: HMAC }, ': has unknown fields: "proof"'],
    [{ preset: 'stripe', repeats: 'drop' }, 'repeats: does not fit stripe: no unsigned id identifies its events'],
    [{}, 'proof: must be an object'],
    [{ proof: { kind: 'md5' } }, 'proof.kind: must be one of hmac, basic, bearer, token'],
    [{ proof: { kind: 'basic', header: 'x' } }, 'proof: has unknown fields: "header"'],
    [{ proof: { ...HMAC, header: 'X Signature' } }, 'proof.header: must be the name of a header'],
    [
      { proof: { ...HMAC, signed: '{header:__proto__}.{body}' } },
      'proof.signed: has an unknown part {header:__proto__}',
    ],
    [{ proof: { ...HMAC, hash: 'md5' } }, 'proof.hash: must be one of sha1, sha256, sha384, sha512'],
    [{ proof: { ...HMAC, separator: '' } }, 'proof.separator: must not be empty'],
    [
      { proof: { ...HMAC, signed: '{id}{body}' }, event: { id: { header: 'x-id' } } },
      'proof.signed: must have text between {id} and what is next to it',
    ],
    [{ proof: { ...HMAC, signed: '{id}.{body}' } }, 'proof.signed: has {id}, but event.id names no header'],
    [
      { proof: { ...HMAC, signed: '{time}.{body}' } },
      'proof.signed: has {time}, but proof.time names no header or prefix',
    ],
    [
      { proof: { ...HMAC, signed: '{time}{body}', time: { header: 'x-time', unit: 'rfc3339' } } },
      'proof.signed: must have text between {time} and what is next to it',
    ],
    [
      { proof: { ...HMAC, time: { header: 'x-time' } } },
      'proof.time: is not signed: {time} is missing in proof.signed',
    ],
    [{ proof: { ...HMAC, time: { header: 'x', path: 'y' } } }, 'proof.time: must have one of header, path, prefix'],
    [
      { proof: { ...HMAC, signed: '{time}.{body}', time: { prefix: 't=' } } },
      'proof.time.prefix: needs proof.separator, which ends the element',
    ],
    [
      { proof: { ...HMAC, signed: '{time}.{body}', separator: ',', prefix: 't=', time: { prefix: 't=' } } },
      'proof.time.prefix: must differ from proof.prefix',
    ],
    [{ proof: HMAC, event: { id: 'id' } }, 'event.id: must be an object'],
    [
      { proof: HMAC, event: { id: { path: 'a..b' } } },
      'event.id.path: must be at most 16 names of members, joined with dots',
    ],
    [
      { proof: HMAC, event: { id: { header: 'x-signature' } } },
      'event.id.header: must not be a header that proves the sender',
    ],
    [
      { proof: { kind: 'basic' }, event: { type: { header: 'Authorization' } } },
      'event.type.header: must not be a header that proves the sender',
    ],
    [{ proof: HMAC, event: { id: { path: 'id' } }, format: 'bytes' }, 'event.id.path: needs a format that can be read'],
    [{ proof: HMAC, rule: 'signed-id' }, 'rule: signed-id needs event.id'],
    [{ proof: HMAC, rule: 'signed-id', event: { id: { header: 'x-id' } } }, 'rule: this id is not signed: use id+body'],
    [
      { proof: { kind: 'bearer' }, rule: 'signed-id', event: { id: { path: 'id' } } },
      'rule: this id is not signed: use id+body',
    ],
    [{ proof: HMAC, rule: 'time+body' }, 'rule: time+body needs a signed time'],
    [{ proof: { kind: 'basic' }, rule: 'window' }, 'rule: window needs a signed body: use id+body or always-new'],
    [{ proof: HMAC, rule: 'twice' }, 'rule: must be one of signed-id, time+body, id+body, window, always-new'],
    [{ proof: HMAC, toleranceSeconds: 60 }, 'toleranceSeconds: needs a signed time: proof.time'],
    [{ proof: HMAC, toleranceSeconds: 0 }, 'toleranceSeconds: must be a number from 1 to 86400'],
    [{ proof: HMAC, maxBodyBytes: 4_194_305 }, 'maxBodyBytes: must be a whole number from 1 to 4194304'],
    [{ proof: HMAC, rateLimitPerMinute: 1.5 }, 'rateLimitPerMinute: must be a whole number from 1 to 1000000'],
    [{ proof: HMAC, retryHours: Number.NaN }, 'retryHours: must be a number from 0 to 2160'],
    [{ proof: HMAC, repeats: 'keep' }, 'repeats: must be one of drop, deliver, hold'],
    [{ proof: HMAC, repeats: 'drop' }, 'repeats: needs the rule id+body'],
    [{ proof: HMAC, format: 'form', ignore: ['a'] }, 'ignore: needs the format json'],
    [{ proof: { ...HMAC, time: { path: 'at' } }, format: 'form' }, 'proof.time.path: needs the format json'],
    [{ proof: HMAC, secret: 'never here' }, ': has unknown fields: "secret"'],
  ])('%j: %s', (source, problem) => {
    expect(wrongIn(source)).toEqual([`sources.acme${problem.startsWith(':') ? '' : '.'}${problem}`])
  })

  it('is refused with all of its errors together, by field', () => {
    const inProof = ['encoding', 'hash', 'header', 'key', 'prefix', 'separator', 'signed', 'time']
    const inSource = [
      'format',
      'ignore',
      'maxBodyBytes',
      'rateLimitPerMinute',
      'repeats',
      'retryHours',
      'rule',
      'toleranceSeconds',
    ]
    const numbers = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, -7]))
    const proof = { ...numbers(inProof), kind: 'hmac' }
    const wrong = { Acme: { ...numbers(inSource), proof, event: numbers(['id', 'type']) }, 'stripe-eu': { preset: 17 } }
    const fields = [...inSource, ...inProof.map((name) => `proof.${name}`), 'event.id', 'event.type'].sort()
    expect(problemsOf({ sources: wrong }).map((problem) => problem.split(': ')[0])).toEqual([
      ...fields.map((field) => `sources.Acme.${field}`),
      'sources.Acme',
      'sources.stripe-eu.preset',
    ])
  })

  it('is accepted or refused by field, for any input, and nothing throws', () => {
    const many = inFull(50_000, 500)
    const seen = { accepted: 0, refused: 0 }
    fc.assert(
      fc.property(CONFIG, (config) => {
        const read = readConfig(config)
        if (!read.problems) {
          seen.accepted += 1
          const { configured, sourceOf } = catalogFrom(read.config)
          for (const name of configured.keys()) sourceOf(name).scheme.read(CALL)
          return
        }
        seen.refused += 1
        expect(read.problems.length).toBeGreaterThan(0)
        for (const problem of read.problems)
          expect(problem).toMatch(/^(the configuration|sources(\.("(\\.|[^"])*"|[\w-]+))*): \S/)
      }),
      { numRuns: many },
    )
    expect(seen.accepted).toBeGreaterThan(many / 10)
    expect(seen.refused).toBeGreaterThan(many / 10)
  }, 120_000)
})

const CALL = {
  method: 'POST',
  url: 'https://hooks.example.com/webhooks/acme',
  headers: { 'x-signature': 't=1700000000,v1=00', authorization: 'Basic YTpi', 'x-id': 'a', 'x-time': '1700000000' },
  body: Buffer.from('{}'),
}

/** Mostly what a field may hold, now and then anything. */
function field<T>(...values: readonly T[]) {
  return fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: fc.anything() })
}

function some<T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }, required: readonly (keyof T)[] = []) {
  return fc.oneof(
    { weight: 30, arbitrary: fc.record(shape, { requiredKeys: [...required] as never }) },
    { weight: 1, arbitrary: fc.anything() },
  )
}

const PLACE = fc.oneof(
  some({ header: field('X-Id', 'x-topic') }, ['header']),
  some({ path: field('id', 'a.b.c', 'a..b') }, ['path']),
)
const TIME = fc.oneof(
  some({ header: field('x-time'), unit: field('s', 'ms', 'rfc3339') }, ['header']),
  some({ prefix: field('t=', 'v1=') }, ['prefix']),
  some({ path: field('at') }, ['path']),
)
const PROOF = fc.oneof(
  some(
    {
      kind: field('hmac'),
      header: field('X-Signature', 'x signature'),
      hash: field('sha1', 'sha256', 'sha384', 'sha512', 'md5'),
      encoding: field('hex', 'base64', 'base64url'),
      key: field('text', 'hex', 'base64', 'whsec'),
      prefix: field('v1=', 'sha256='),
      separator: field(',', ' '),
      signed: field('{body}', '{time}.{body}', '{id}.{time}.{body}', '{time}{body}', '{id}{body}', '{bodySha256}', '{'),
      time: TIME,
    },
    ['kind', 'header'],
  ),
  some({ kind: field('basic', 'bearer') }, ['kind']),
  some({ kind: field('token'), header: field('x-token') }, ['kind', 'header']),
)
const LIMITS = {
  toleranceSeconds: field(60, 300, 0),
  rateLimitPerMinute: field(1, 1000, -1),
  maxBodyBytes: field(1, 4_194_304, 0),
  repeats: field('drop'),
}
const SOURCE = fc.oneof(
  some({ preset: field(...Object.keys(PROVIDERS), 'nobody'), ...LIMITS }, ['preset']),
  some<Partial<Record<keyof Extract<SourceConfig, { proof: unknown }>, unknown>>>(
    {
      proof: PROOF,
      event: some({ id: PLACE, type: PLACE }),
      rule: field('signed-id', 'time+body', 'id+body', 'window', 'always-new'),
      ignore: field(['a.*.b'], []),
      format: field('json', 'form', 'bytes'),
      retryHours: field(1, 72),
      ...LIMITS,
    },
    ['proof'],
  ),
)
const NAME = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('acme', 'stripe-eu', 'zoom', '__proto__', 'Acme') },
  { weight: 1, arbitrary: fc.string() },
)
const CONFIG = some({ sources: fc.oneof(fc.dictionary(NAME, SOURCE, { maxKeys: 2 }), fc.anything()) })
