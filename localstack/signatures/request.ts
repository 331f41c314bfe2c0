import type { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import type { SignedCall } from '../../lib/webhooks/schemes/scheme.ts'
import { StartError } from '../start-error.ts'
import { readBytes } from './file.ts'
import { requestFile, signedCallOf } from './vector.ts'

/**
 * Reads the request of a file: an object as in the vector files, or the raw request (`METHOD path`, headers, an empty
 * line, the bytes of the body).
 * @param base completes a path to an address
 * @throws StartError for a file that is neither
 */
export function readRequest(file: string, base: URL): SignedCall {
  const bytes = readBytes(file)
  const call = /^\s*\{/.test(bytes.toString('latin1', 0, 64)) ? fromJson(bytes) : fromHttp(bytes, base)
  if (call) return call
  throw new StartError(`${file}: is no request, neither as JSON nor as HTTP`)
}

function fromJson(bytes: Buffer): SignedCall | undefined {
  try {
    const given = z.safeParse(requestFile, JSON.parse(bytes.toString()))
    return given.success ? signedCallOf(given.data) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function fromHttp(bytes: Buffer, base: URL): SignedCall | undefined {
  const [head = '', end = ''] = /^.*?(\r?\n\r?\n|$)/s.exec(bytes.toString('latin1')) ?? []
  const [start = '', ...lines] = head.slice(0, head.length - end.length).split(/\r?\n/)
  const [, method, target] = /^([A-Z]+) (\S+)(?: HTTP\/[\d.]+)?$/.exec(start) ?? []
  const headers = lines.map((line) => /^([^\s:]+):[ \t]*((?:[ \t]*[^ \t])*)[ \t]*$/.exec(line))
  if (method === undefined || target === undefined || headers.includes(null)) return undefined
  return {
    method,
    url: target.startsWith('/') ? `${base.origin}${target}` : target,
    headers: joined(headers.flatMap((header) => (header ? [[header[1] ?? '', header[2] ?? '']] : []))),
    body: bytes.subarray(head.length),
  }
}

/** Joins the values of a repeated header with a comma (RFC 9110, section 5.3). */
function joined(headers: readonly (readonly string[])[]): Record<string, string> {
  const values = new Map<string, string>()
  for (const [name = '', value = ''] of headers) {
    const before = values.get(name.toLowerCase())
    values.set(name.toLowerCase(), before === undefined ? value : `${before},${value}`)
  }
  return Object.fromEntries(values)
}
