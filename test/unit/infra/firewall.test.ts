import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

interface Match {
  readonly FieldToMatch: { readonly UriPath?: object; readonly SingleHeader?: { readonly Name: string } }
  readonly TextTransformations: readonly { readonly Priority: number; readonly Type: string }[]
}

interface Statement {
  readonly OrStatement?: { readonly Statements: readonly Statement[] }
  readonly RegexMatchStatement?: Match & { readonly RegexString: string }
  readonly ByteMatchStatement?: Match & { readonly SearchString: string; readonly PositionalConstraint: string }
}

interface Call {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** AWS WAF developer guide, "Using text transformations in AWS WAF". */
const TRANSFORMATIONS: Readonly<Record<string, (text: string) => string>> = {
  NONE: (text) => text,
  URL_DECODE: decodeURIComponent,
  LOWERCASE: (text) => text.toLowerCase(),
}

function seen({ FieldToMatch: field, TextTransformations: steps }: Match, { path, headers }: Call): string {
  const text = field.SingleHeader ? (headers[field.SingleHeader.Name] ?? '') : path
  const inOrder = steps.toSorted((one, other) => one.Priority - other.Priority)
  return inOrder.reduce((left, { Type: type }) => TRANSFORMATIONS[type]?.(left) ?? expect.fail(type), text)
}

function matches(statement: Statement, call: Call): boolean {
  const { OrStatement: or, RegexMatchStatement: regex, ByteMatchStatement: bytes } = statement
  if (or) return or.Statements.some((each) => matches(each, call))
  if (regex) return new RegExp(regex.RegexString).test(seen(regex, call))
  expect(bytes?.PositionalConstraint).toBe('STARTS_WITH')
  return bytes !== undefined && seen(bytes, call).startsWith(bytes.SearchString)
}

const { Resources: resources } = parse(readFileSync('infra/edge/firewall.yml', 'utf8'), { logLevel: 'silent' })
const logins = resources.Firewall.Properties.Rules.find(({ Name: name }: { Name: string }) => name === 'logins')
const isCounted = (path: string, headers: Call['headers'] = {}) =>
  matches(logins.Statement.RateBasedStatement.ScopeDownStatement, { path, headers })

it.each(['/login', '/api/auth/login', '/api/auth/%6cogin', '/%6Cogin'])(
  'the firewall counts %s as a login, as the function behind the gateway does',
  (path) => {
    expect(isCounted(path)).toBe(true)
  },
)

it.each(['Basic YTpi', 'BASIC YTpi'])('it counts a password on any path: Authorization: %s', (value) => {
  expect(isCounted('/api/jdbc/users', { authorization: value })).toBe(true)
})

it.each([
  ['/login/oauth2/code/github', {}],
  ['/api/auth/info', { authorization: 'Bearer basic' }],
  ['/api/auth/%256cogin', {}],
])('it does not count other calls: %s %j', (path, headers) => {
  expect(isCounted(path, headers)).toBe(false)
})
