import { Buffer } from 'node:buffer'
import { fromUtf8 } from '../lib/runtime/text.ts'

/** The path of a request target as it was sent, in origin or absolute form (RFC 9112 section 3.2). */
export function rawPathOf(target: string): string {
  const [path = ''] = withoutOrigin(target).split('?', 1)
  return path === '' ? '/' : path
}

/** The query of a request target as it was sent; empty where there is none. */
export function rawQueryOf(target: string): string {
  const start = target.indexOf('?')
  return start === -1 ? '' : target.slice(start + 1)
}

function withoutOrigin(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
}

/** The text of a value whose bytes are UTF-8; Node reads them one by one. */
export function utf8Of(value: string): string {
  return fromUtf8(Buffer.from(value, 'latin1')) ?? value
}
