import type { Session } from '../callers.ts'
import type { HttpRequest } from '../http-api.ts'

type Field = readonly [name: string, value: string]

export const HTML = { 'content-type': /^text\/html/ }

export function get(target: string, ...headers: readonly Field[]): HttpRequest {
  return { target, headers }
}

export function postJson(target: string, body: object, ...headers: readonly Field[]): HttpRequest {
  const type: Field = ['content-type', 'application/json']
  return { method: 'POST', target, headers: [type, ...headers], body: JSON.stringify(body) }
}

/** A form as browsers send it. */
export function form(
  target: string,
  fields: Readonly<Record<string, string>>,
  ...headers: readonly Field[]
): HttpRequest {
  const type: Field = ['Content-Type', 'application/x-www-form-urlencoded']
  return { method: 'POST', target, headers: [type, ...headers], body: new URLSearchParams(fields).toString() }
}

export function basic(username: string, password: string): Field {
  return ['authorization', `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`]
}

/** Two cookies that have nothing to do with us stand around those that have. */
export function cookie({ cookies }: Pick<Session, 'cookies'>): Field {
  return ['cookie', `theme=dark; ${cookies}; consent=yes`]
}
