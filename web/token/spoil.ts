import { decode, type TokenPart } from './decode.ts'

/** Changes the first character of the last part, which stays canonical base64url. */
export function withOtherSignature(token: string): string {
  const { header, payload, signature } = partsOf(token)
  return `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
}

/** Keeps both dots, but nothing behind the second. */
export function withoutSignature(token: string): string {
  const { header, payload } = partsOf(token)
  return `${header}.${payload}.`
}

/** Keeps only the first two parts. */
export function cutOff(token: string): string {
  const { header, payload } = partsOf(token)
  return `${header}.${payload}`
}

/** Another header over the old signature. */
export function withHeaderOf(token: string, members: object): string {
  const { payload, signature } = partsOf(token)
  return `${encoded(members)}.${payload}.${signature}`
}

/** Other claims under the old signature. */
export function withClaims(token: string, members: object): string {
  const { header, signature } = partsOf(token)
  return `${header}.${encoded(members)}.${signature}`
}

/** The members of a part; none of one that cannot be read. */
export function membersOf(part: TokenPart): Readonly<Record<string, unknown>> {
  return part.kind === 'object' ? part.members : {}
}

/** Changes members of the header; `undefined` removes one. */
export function withHeaderChanges(token: string, changes: object): string {
  return withHeaderOf(token, { ...membersOf(decode(token).header), ...changes })
}

/** The role that the token does not have. */
export function withOtherRole(token: string): string {
  const claims = membersOf(decode(token).payload)
  return withClaims(token, { ...claims, role: claims['role'] === 'ROLE_ADMIN' ? 'ROLE_USER' : 'ROLE_ADMIN' })
}

function partsOf(token: string) {
  const [header = '', payload = '', signature = ''] = token.split('.')
  return { header, payload, signature }
}

function encoded(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
