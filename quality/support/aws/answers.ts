import type { IncomingHttpHeaders } from 'node:http'

/** What an operation was asked with: its members, or those of the form in the older protocols. */
export type Asked = Readonly<Record<string, string>>

/** What a service answers: members, or a refusal. */
export type Operation = (asked: Asked) => object

export type Operations = Readonly<Record<string, Operation>>

/** A call of a service that speaks in methods and paths. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Reply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** An error of AWS, which its clients show with code and message. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Members as XML: those of a list are each a `member`. */
export function xml(value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => `<member>${xml(each)}</member>`).join('')
  if (typeof value !== 'object' || value === null) return escaped(String(value))
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `<${name}>${xml(member)}</${name}>`)
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
