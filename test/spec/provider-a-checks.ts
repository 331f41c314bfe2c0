import type { Checks } from './checks.ts'
import { eventA, expectTextA, hmac, postA, secondsFromNow, secretOf, signatureA } from './webhook-signatures.ts'

export const providerAChecks = {
  '5/webhook-3-header': async () => {
    const payload = eventA()
    const [t, v1] = signatureA(payload).split(',') as [string, string]
    const other = `v1=${'0'.repeat(64)}`
    for (const header of [t, v1, `${v1}${t}`, `${t};${v1}`, `${t},v0=${v1.slice(3)}`, `${t},${other}`]) {
      expectTextA(await postA(payload, header), 'refused', header)
    }
    for (const header of [`${t},${v1}`, `${v1},${t}`, `${t},${other},${v1}`, `${t},${v1},v0=x`]) {
      expectTextA(await postA(payload, header), 'accepted', header)
    }
  },

  '5/webhook-3-text': async () => {
    const payload = eventA()
    const t = secondsFromNow(0)
    const texts = [payload, `${t}${payload}`, `${payload}.${t}`, `${t}.${JSON.stringify(JSON.parse(payload))}`]
    for (const text of [...texts, `${t - 1}.${payload}`]) {
      const header = `t=${t},v1=${hmac(text, secretOf('stripe')).digest('hex')}`
      expectTextA(await postA(payload, header), 'refused', text)
    }
    expectTextA(await postA(payload, signatureA(payload, t)), 'accepted')
  },

  '5/webhook-3-signature': async () => {
    const payload = eventA()
    const t = secondsFromNow(0)
    const signed = (hash: string) => hmac(`${t}.${payload}`, secretOf('stripe'), hash)
    const right = signed('sha256').digest('hex')
    const nearly = [right.slice(0, -1), `${right}0`, `${right.slice(0, -1)}${right.endsWith('0') ? 1 : 0}`]
    const others = [signed('sha1').digest('hex'), signed('sha512').digest('hex'), signed('sha256').digest('base64')]
    for (const v1 of [...nearly, ...others, right.toUpperCase(), '']) {
      expectTextA(await postA(payload, `t=${t},v1=${v1}`), 'refused', v1)
    }
    expectTextA(await postA(payload, `t=${t},v1=${right}`), 'accepted')
  },

  '5/webhook-3-age': async () => {
    for (const [seconds, expected] of [
      [-301, 'refused'],
      [-86_400, 'refused'],
      [302, 'refused'],
      [-290, 'accepted'],
      [0, 'accepted'],
    ] as const) {
      const payload = eventA()
      expectTextA(await postA(payload, signatureA(payload, secondsFromNow(seconds))), expected, `${seconds}`)
    }
  },

  '5/webhook-3-parsing': async () => {
    const payload = eventA()
    const right = signatureA(payload)
    const times = ['x', '', '1e9', '-1', '9'.repeat(30)].map((t) => right.replace(/t=\d+/, `t=${t}`))
    for (const header of [
      undefined,
      '',
      ',',
      '=',
      'nonsense',
      `${right},`,
      `${right},nonsense`,
      `t=1,${right}`,
      ...times,
    ]) {
      expectTextA(await postA(payload, header), 'refused', header)
    }
  },
} satisfies Checks<'5'>
