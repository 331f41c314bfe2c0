import { Buffer } from 'node:buffer'
import type { Headers, SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import type { Random } from '../../support/random.ts'
import { changedBytes } from '../changes.ts'

type CallChange = (call: SignedCall, random: Random, others: readonly SignedCall[]) => SignedCall

const CALL_CHANGES: readonly CallChange[] = [
  changeBody,
  changeBody,
  changeBody,
  changeHeader,
  changeHeader,
  changeHeader,
  changeHeader,
  function dropHeader(call, random) {
    const { [nameIn(call.headers, random)]: _, ...headers } = call.headers
    return { ...call, headers }
  },
  function swapHeaders(call, random) {
    const [one, other] = [nameIn(call.headers, random), nameIn(call.headers, random)]
    return { ...call, headers: { ...call.headers, [one]: call.headers[other], [other]: call.headers[one] } }
  },
  function addHeader(call, random, others) {
    const { headers } = random.pick(others)
    const name = nameIn(headers, random)
    return { ...call, headers: { [name]: headers[name], ...call.headers } }
  },
  function takeHeaders(call, random, others) {
    return { ...call, headers: { ...call.headers, ...random.pick(others).headers } }
  },
  function takeBody(call, random, others) {
    return { ...call, body: random.pick(others).body }
  },
  function moveIntoUrl(call, random) {
    const length = random.below(call.body.length + 1)
    return { ...call, url: call.url + call.body.toString('latin1', 0, length), body: call.body.subarray(length) }
  },
  function changeUrl(call, random) {
    return { ...call, url: textChanged(call.url, random) }
  },
  function changeMethod(call, random) {
    return { ...call, method: random.pick(['GET', 'PUT', 'post', '', 'POSTh']) }
  },
]

function changeBody(call: SignedCall, random: Random): SignedCall {
  return { ...call, body: changedBytes(call.body, random) }
}

function changeHeader(call: SignedCall, random: Random): SignedCall {
  const name = nameIn(call.headers, random)
  return { ...call, headers: { ...call.headers, [name]: textChanged(call.headers[name] ?? '', random) } }
}

/** The call with one, two or three changes; some of them change nothing. */
export function changedCall(call: SignedCall, random: Random, others: readonly SignedCall[]): SignedCall {
  let changed = call
  for (let left = 1 + random.below(3); left > 0; left--) changed = random.pick(CALL_CHANGES)(changed, random, others)
  return changed
}

/** Seldom one that nobody signs. */
function nameIn(headers: Headers, random: Random): string {
  const names = Object.keys(headers)
  const others = names.filter((name) => name !== 'content-type')
  return random.pick(['x-other', ...names, ...others, ...others, ...others])
}

function textChanged(text: string, random: Random): string {
  return changedBytes(Buffer.from(text), random).toString()
}
